package directory

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/office/due"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/testkit"
)

// onDay sets the current office day.
func (f *front) onDay(t *testing.T, day string) {
	t.Helper()
	at, err := time.Parse(time.RFC3339, day+"T06:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	f.store.clock = func() *time.Time { return &at }
}

func (f *front) dueDates(t *testing.T, role, query string) []dueDateBody {
	t.Helper()
	w := f.call(t, role, "GET", "/api/due-dates"+query, "")
	if w.Code != http.StatusOK {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	return decode[dueDatesAnswer](t, w.Body.Bytes()).DueDates
}

// dueIn lists the entries that are due on the days of a month, as "20 GSTR-3B, monthly".
func dueIn(all []dueDateBody, month string) (lines []string) {
	for _, one := range all {
		if day, ok := strings.CutPrefix(one.Date, month+"-"); ok {
			lines = append(lines, day+" "+one.Title)
		}
	}
	return lines
}

func TestANewOfficeHasTheDueDatesOfTheLaw(t *testing.T) {
	f := newFront(t)
	f.onDay(t, "2026-11-25")
	all := f.dueDates(t, "admin", "")
	want := []string{
		"07 Deposit of TDS and TCS", "10 GSTR-7, GSTR-8", "11 GSTR-1, monthly", "13 GSTR-5, GSTR-6", "13 IFF (QRMP)",
		"15 Advance tax", "15 PF and ESI", "20 GSTR-3B, monthly", "20 Professional tax (Karnataka)", "25 PMT-06 (QRMP)",
		"31 Belated return", "31 GSTR-9, GSTR-9C",
	}
	if got := dueIn(all, "2026-12"); !slices.Equal(got, want) {
		t.Errorf("in December: %q", got)
	}
	want = []string{"31 ITR of salaried persons and others without business", "31 TDS returns"}
	if got := dueIn(all, "2027-07"); !slices.Equal(got[len(got)-2:], want) {
		t.Errorf("in July: %q", got)
	}
	if first, last := all[0].Date, all[len(all)-1].Date; first != "2026-11-25" || last > "2027-12-30" {
		t.Errorf("from %s to %s", first, last)
	}
	for _, one := range all {
		if one.Confirmed || one.Source == "" || one.CheckedOn != "2026-11-25" || !slices.Contains(due.Groups, one.Group) {
			t.Errorf("%+v", one)
		}
	}
	if created := f.events(t, contract.DueDateCreated); len(created) != 37 || created[0].Actor != nil {
		t.Errorf("%d entries were published", len(created))
	}
}

func TestAllRolesSeeWhatIsDueSoon(t *testing.T) {
	f := newFront(t)
	f.onDay(t, "2026-12-08")
	for _, role := range []string{"reception", "pa", "consultant", "admin"} {
		if got := dueIn(f.dueDates(t, role, "?days=3"), "2026-12"); !slices.Equal(got,
			[]string{"10 GSTR-7, GSTR-8", "11 GSTR-1, monthly"}) {
			t.Errorf("%s: %q", role, got)
		}
	}
	for _, days := range []string{"0", "401", "few"} {
		if w := f.call(t, "pa", "GET", "/api/due-dates?days="+days, ""); w.Code != http.StatusBadRequest {
			t.Errorf("%s days answered %d", days, w.Code)
		}
	}
}

const notified = `{"group":"income_tax","title":"ITR, extended","date":"2026-12-31","source":"Notification 9/2026"`

func TestAnAdminAddsAndReplacesDueDates(t *testing.T) {
	f := newFront(t)
	f.onDay(t, "2026-11-25")
	w := f.call(t, "admin", "POST", "/api/due-dates", notified+`}`)
	made := decode[dueDateAnswer](t, w.Body.Bytes()).DueDate
	if w.Code != http.StatusCreated || *made.Once != "2026-12-31" || made.Rule != nil || !made.Active || !made.Confirmed ||
		made.CheckedOn != "2026-11-25" || made.Version != 1 {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	body := `{"group":"gst","title":"ITR","rule":{"months":[9,3,3],"day":31},
		"moved":{"from":"2027-03-31","to":"2027-04-15"},"source":"Notification 10/2026",
		"checkedOn":"2026-11-20","active":false}`
	w = f.call(t, "admin", "PUT", "/api/due-dates/"+made.ID, body, "If-Match", `"1"`)
	changed := decode[dueDateAnswer](t, w.Body.Bytes()).DueDate
	if w.Code != http.StatusOK || changed.Once != nil || !slices.Equal(changed.Rule.Months, []int{3, 9}) ||
		changed.Active || changed.CheckedOn != "2026-11-20" || changed.Version != 2 || made.Moved != nil ||
		changed.Moved == nil || *changed.Moved != (moveBody{"2027-03-31", "2027-04-15"}) {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	for _, role := range []string{"admin", "pa"} {
		days := []string{}
		for _, one := range f.dueDates(t, role, "") {
			if one.ID == made.ID {
				days = append(days, one.Date)
			}
		}
		want := map[string][]string{"admin": {"2027-04-15", "2027-09-30"}, "pa": {}}[role]
		if !slices.Equal(days, want) {
			t.Errorf("%s sees the inactive entry on %v", role, days)
		}
	}
	w = f.call(t, "admin", "PUT", "/api/due-dates/"+made.ID, body)
	if same := decode[dueDateAnswer](t, w.Body.Bytes()).DueDate; w.Code != http.StatusOK || same.Version != 2 {
		t.Errorf("the same again answered %d %s", w.Code, w.Body)
	}
	w = f.call(t, "admin", "PUT", "/api/due-dates/"+made.ID, strings.Replace(body, `,"active":false`, "", 1))
	if kept := decode[dueDateAnswer](t, w.Body.Bytes()).DueDate; kept.Active || kept.Version != 2 {
		t.Errorf("without the activity: %d %s", w.Code, w.Body)
	}
	published := f.events(t, contract.DueDateUpdated)
	if len(published) != 1 || published[0].Actor.Role != "admin" || published[0].EntityID != made.ID {
		t.Fatalf("published %+v", published)
	}
	before, after := decode[contract.DueDate](t, published[0].Before), decode[contract.DueDate](t, published[0].After)
	if before.Date != "2026-12-31" || after.MovedTo != "2027-04-15" || after.IsActive {
		t.Errorf("published %+v and %+v", before, after)
	}
}

func TestAChangeOfAnotherVersionIsRefused(t *testing.T) {
	f := newFront(t)
	made := decode[dueDateAnswer](t, f.call(t, "admin", "POST", "/api/due-dates", notified+`}`).Body.Bytes()).DueDate
	target := "/api/due-dates/" + made.ID
	for what, w := range map[string]int{
		"the header": f.call(t, "admin", "PUT", target, notified+`,"active":false}`, "If-Match", `"2"`).Code,
		"the body":   f.call(t, "admin", "PUT", target, notified+`,"active":false,"version":7}`).Code,
	} {
		if w != http.StatusPreconditionFailed {
			t.Errorf("by %s: answered %d", what, w)
		}
	}
	for _, id := range []string{"no-id", testkit.ID("due"), "01990000-0000-7000-8000-000000000000",
		"urn:uuid:" + made.ID, "{" + made.ID + "}", strings.ReplaceAll(made.ID, "-", "")} {
		if w := f.call(t, "admin", "PUT", "/api/due-dates/"+id, notified+`}`); w.Code != http.StatusNotFound {
			t.Errorf("%s answered %d", id, w.Code)
		}
	}
	if published := f.events(t, contract.DueDateUpdated); len(published) != 0 {
		t.Errorf("published %+v", published)
	}
}

func TestInvalidDueDatesHaveTheirOwnMessages(t *testing.T) {
	f := newFront(t)
	f.onDay(t, "2026-11-25")
	long := strings.Repeat("t", 121)
	with := func(rest string) string {
		return `{"group":"gst","title":"GSTR","source":"rule 59"` + rest + `}`
	}
	rule := `,"rule":{"months":[7],"day":31}`
	for _, c := range []struct{ what, body, field, sentence string }{
		{"no title", `{"group":"gst","source":"a","date":"2026-12-01"}`, "title", titleMissing.Sentence},
		{"a long title", `{"group":"gst","source":"a","date":"2026-12-01","title":"` + long + `"}`, "title",
			titleLong.Sentence},
		{"a control character", `{"group":"gst","source":"a","date":"2026-12-01","title":"a\u0000"}`, "title",
			titleIllegal.Sentence},
		{"no source", `{"group":"gst","title":"a","date":"2026-12-01"}`, "source", sourceMissing.Sentence},
		{"another group", `{"group":"vat","title":"a","source":"a","date":"2026-12-01"}`, "group", groupWrong.Sentence},
		{"no date", with(""), "date", onceOrRule.Sentence},
		{"a date and months", with(rule + `,"date":"2026-12-01"`), "date", onceOrRule.Sentence},
		{"no day", with(`,"date":"2026-02-30"`), "date", dayWrong.Sentence},
		{"no months", with(`,"rule":{"months":[],"day":1}`), "months", monthsWrong.Sentence},
		{"month 0", with(`,"rule":{"months":[0,1],"day":1}`), "months", monthsWrong.Sentence},
		{"day 0", with(`,"rule":{"months":[1],"day":0}`), "day", ruleDayWrong.Sentence},
		{"moved to no day", with(rule + `,"moved":{"from":"2026-07-31","to":"2026-13-01"}`), "moved", movedWrong.Sentence},
		{"a single day moved from another", with(`,"date":"2026-12-01","moved":{"from":"2026-12-02","to":"2026-12-03"}`),
			"moved", movedWrong.Sentence},
		{"month 13", with(`,"rule":{"months":[1,13],"day":1}`), "months", monthsWrong.Sentence},
		{"day 32", with(`,"rule":{"months":[1],"day":32}`), "day", ruleDayWrong.Sentence},
		{"a moved day that is not due", with(rule + `,"moved":{"from":"2026-07-30","to":"2026-08-30"}`), "moved",
			movedWrong.Sentence},
		{"moved to the same day", with(rule + `,"moved":{"from":"2026-07-31","to":"2026-07-31"}`), "moved",
			movedWrong.Sentence},
		{"checked tomorrow", with(rule + `,"checkedOn":"2026-11-26"`), "checkedOn", checkedWrong.Sentence},
		{"activity as a number", with(rule + `,"active":1`), "active", activeFlagBad.Sentence},
		{"a version as a word", with(rule + `,"version":"one"`), "version", "The version is a whole number"},
	} {
		w := f.call(t, "admin", "POST", "/api/due-dates", c.body)
		got := decode[fault.Body](t, w.Body.Bytes())
		if w.Code != http.StatusBadRequest || got.Fields[c.field] != c.sentence {
			t.Errorf("%s answered %d %v", c.what, w.Code, got.Fields)
		}
	}
	if created := f.events(t, contract.DueDateCreated); len(created) != 37 {
		t.Errorf("rejected bodies published %d events", len(created)-37)
	}
}

func TestAServiceHasTheGroupOfItsNameUntilAnAdminChoosesOne(t *testing.T) {
	f := newFront(t)
	list := decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services
	groups := map[string]string{}
	for _, one := range list {
		groups[one.Name] = one.Group
	}
	if groups["GST Return Filing"] != due.GST || groups["ITR Filing"] != due.IncomeTax ||
		groups["Bookkeeping"] != due.Other {
		t.Errorf("%v", groups)
	}
	testkit.Exec(t, f.db.Owner(t), `UPDATE services SET due_group = NULL`) // what a release without groups stores
	service := list[0]
	put := func(rest string) string {
		w := f.call(t, "admin", "PUT", "/api/services/"+service.ID, fmt.Sprintf(`{"name":%q,"est_minutes":30%s}`,
			service.Name, rest))
		return decode[serviceAnswer](t, w.Body.Bytes()).Service.Group
	}
	if got := put(""); got != service.Group {
		t.Errorf("without a stored group: %q", got)
	}
	if got := put(`,"group":"audit"`); got != due.Audit {
		t.Errorf("after a change: %q", got)
	}
	if got := put(""); got != due.Audit {
		t.Errorf("left out: %q", got)
	}
	w := f.call(t, "admin", "PUT", "/api/services/"+service.ID, `{"name":"ITR Filing","est_minutes":30,"group":"vat"}`)
	if w.Code != http.StatusBadRequest {
		t.Errorf("an unknown group answered %d", w.Code)
	}
}
