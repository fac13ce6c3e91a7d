package visits_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"baari.dev/services/platform/testkit"
)

// The values that the paired desk itself sets must be valid, or the request is rejected.
func TestWhatADeskSendsIsWhole(t *testing.T) {
	d := newDesk(t)
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	send := func(series, day, visits string) answer {
		return d.as("reception", http.MethodPost, "/api/visits/offline",
			fmt.Sprintf(`{"series":%q,"day":%q,"visits":[%s]}`, series, day, visits), "Baari-Device", "device-A")
	}
	whole := func(change, to string) string { return strings.Replace(noteOf("A", 1).body(d), change, to, 1) }
	for what, a := range map[string]answer{
		"no visits":          send("A", today, ""),
		"no series":          send("", today, whole("", "")),
		"the office's":       send("T", today, whole("", "")),
		"no day":             send("A", "today", whole("", "")),
		"number 0":           send("A", today, whole(`"number":1`, `"number":0`)),
		"number 100000":      send("A", today, whole(`"number":1`, `"number":100000`)),
		"without an author":  send("A", today, whole(testkit.ID("reception"), "")),
		"made by a sentence": send("A", today, whole(testkit.ID("reception"), "the receptionist")),
		"no arrival":         send("A", today, whole(`"arrived_at"`, `"arrives_at"`)),
		"a wrong arrival":    send("A", today, whole(`"arrived_at":"2`, `"arrived_at":"x`)),
		"a wrong left":       send("A", today, whole(`"notes":""`, `"left_at":"soon"`)),
		"a long notice":      send("A", today, whole(`"notes":""`, `"notice_version":"`+strings.Repeat("x", 65)+`"`)),
	} {
		if a.status != http.StatusBadRequest {
			t.Errorf("%s answered %d %s", what, a.status, a.text)
		}
	}
	// If the service, or the name of the service on the slip, is invalid, the visit is refused, and the request is not.
	for what, visits := range map[string]string{
		"no name of the service": whole(`"ITR Filing"`, `""`), "a long one": whole(`ITR Filing`, strings.Repeat("x", 201)),
		"no service": whole(d.offered, "none"),
	} {
		if a := send("A", today, visits); !strings.Contains(a.text, `"state":"refused","code":"validation"`) {
			t.Errorf("%s answered %d %s", what, a.status, a.text)
		}
	}
	for _, unsent := range []string{`{}`, `{"unsent":-1}`, `{"unsent":"1"}`} {
		a := d.as("reception", http.MethodPost, "/api/visits/offline/lease", unsent, "Baari-Device", "device-A")
		d.rejects("a lease with "+unsent, a, http.StatusBadRequest, "validation")
	}
	if n := count(t, d, `SELECT count(*) FROM visits`); n != 0 {
		t.Errorf("%d visits", n)
	}
}

// Appointments are not known without network. If a paired desk sends one, it is not used, and all visits are
// registered.
func TestAnAppointmentThatADeskSendsIsNotUsed(t *testing.T) {
	d, officeZone := newDesk(t).midday()
	pairDesks(d)
	today := d.lease(t, "A", 0).Days[0].Day
	known, unknown, plain := noteOf("A", 1), noteOf("A", 2), noteOf("A", 3)
	known.more = fmt.Sprintf(`,"appointment_id":%q`, d.appointment(officeZone, 30, "confirmed"))
	unknown.more = fmt.Sprintf(`,"appointment_id":%q`, lateService)
	done, _ := d.send(t, "reception", "A", today, known, unknown, plain)
	wantStates(t, done, "A-001 created, A-002 created, A-003 created")
	if n := count(t, d, `SELECT count(*) FROM visits WHERE appointment_id IS NULL AND class = 'normal'`); n != 3 {
		t.Errorf("%d of 3 visits are without an appointment", n)
	}
}
