package appointment_test

import (
	"errors"
	"strings"
	"testing"

	"baari.dev/services/directory/appointment"
)

// For each pair of statuses, a change that is not in the list is rejected with an error that names both statuses.
func TestStatusChanges(t *testing.T) {
	allowed := map[string]bool{"pending confirmed": true, "pending declined": true, "pending done": true,
		"confirmed declined": true, "confirmed done": true}
	for _, from := range appointment.Statuses {
		for _, to := range appointment.Statuses {
			changed, err := appointment.Change(from, to)
			var illegal *appointment.IllegalError
			switch {
			case from == to:
				if changed || err != nil {
					t.Errorf("%s stays %s: %v, %v", from, to, changed, err)
				}
			case allowed[string(from)+" "+string(to)]:
				if !changed || err != nil {
					t.Errorf("%s to %s: %v, %v", from, to, changed, err)
				}
			case !errors.As(err, &illegal) || err.Error() != "Cannot change status from "+string(from)+" to "+string(to):
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
	}
}

// S5.appt.05: an address has the form local@domain.tld, in any case.
func TestIsEmail(t *testing.T) {
	for text, valid := range map[string]bool{"asha@example.com": true, "A.B+c'd@Mail.Example.CO.IN": true,
		"asha@example": false, "asha": false, "@example.com": false,
		"a@b..com": false, "a..b@example.com": false, "asha @example.com": false, "asha@example.com ": false,
		"asha@ex_ample.com": false, "a@-b.com": false,
		strings.Repeat("a", 250) + "@b.com": false, "asha@example.com\n": false} {
		if appointment.IsEmail(text) != valid {
			t.Errorf("%q: %v", text, !valid)
		}
	}
}

func TestIsDay(t *testing.T) {
	for text, valid := range map[string]bool{"2026-11-23": true, "2028-02-29": true, "2026-02-29": false,
		"2026-13-01": false, "23-11-2026": false, "2026-1-2": false, "": false} {
		if appointment.IsDay(text) != valid {
			t.Errorf("%q: %v", text, !valid)
		}
	}
}
