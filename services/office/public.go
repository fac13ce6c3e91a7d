package office

// Public is a version of the document for GET /api/office. Of the appointments it has only what the form needs.
type Public struct {
	Document
	Appointments PublicAppointments `json:"appointments"`
	Version      int64              `json:"version"` // 0: a file that is no version yet
}

// PublicAppointments says which slots can be requested.
type PublicAppointments struct {
	DaysAhead   int `json:"daysAhead"`
	LeadMinutes int `json:"leadMinutes"`
}

// Public returns the document, which has the given version, for GET /api/office.
func (d Document) Public(version int64) Public {
	return Public{d, PublicAppointments{d.Appointments.DaysAhead, d.Appointments.LeadMinutes}, version}
}
