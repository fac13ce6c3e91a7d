package visit

// Erased is the name of an erased visitor, whose phone and notes are empty.
const Erased = "Erased"

// HandledBy reports whether a user is the visit's consultant, or has registered, decided, started or completed the
// visit. The access log omits what these users read; the report after a breach names them from the visit itself.
func (v Visit) HandledBy(id string) bool {
	return v.CreatedBy == id || same(v.DecidedBy, id) || same(v.ConsultantID, id) ||
		same(v.StartedBy, id) || same(v.CompletedBy, id)
}

// PhoneFor returns the phone in the form that a role sees: unmasked for roles that handle the visit, otherwise masked
// (docs/matrix.md). today is the office day.
func (v Visit) PhoneFor(role, today string) string {
	if v.WholeFor(role, today) {
		return v.Phone
	}
	return Masked(v.Phone)
}

// WholeFor reports whether a role sees the phone unmasked.
func (v Visit) WholeFor(role, today string) bool {
	switch role {
	case admin:
		return true
	case reception, pa:
		return v.Day == today
	case consultant:
		return v.Status == Approved || v.Status == InSession
	}
	return false
}

// Masked replaces all digits except the first two and the last two. An erased phone stays empty.
func Masked(phone string) string {
	if phone == "" {
		return ""
	}
	if len(phone) < 4 {
		return "**********"
	}
	return phone[:2] + "******" + phone[len(phone)-2:]
}
