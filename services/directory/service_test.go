package directory

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

func names(services []serviceBody) string {
	var all []string
	for _, service := range services {
		all = append(all, service.Name)
	}
	return strings.Join(all, ", ")
}

const defaultServices = "ITR Filing, GST Registration, GST Return Filing, Business Registration, " +
	"Business Advisory, Trademark Services, " +
	"Audit Services, Tax Planning, Compliance Services, Bookkeeping, General Consultation"

// S7.api.07, S3.service.01-02: in a new database the services of the office file are active, in the order of the file.
func TestNewDatabaseOffersServicesOfOfficeFile(t *testing.T) {
	f := newFront(t)
	w := f.call(t, "reception", "GET", "/api/services", "")
	list := decode[servicesAnswer](t, w.Body.Bytes()).Services
	if w.Code != http.StatusOK || names(list) != defaultServices {
		t.Fatalf("answered %d %s", w.Code, names(list))
	}
	for i, minutes := range []int{30, 45, 30, 60, 45, 45, 60, 45, 30, 30, 20} {
		if list[i].EstMinutes != minutes || list[i].IsActive != 1 {
			t.Errorf("%s takes %d minutes, is_active %d; want %d and 1", list[i].Name, list[i].EstMinutes, list[i].IsActive,
				minutes)
		}
	}
	if published := f.events(t, contract.ServiceCreated); len(published) != 11 || published[0].Actor != nil {
		t.Errorf("%d services were published, the first by %v; want 11 without actor", len(published), published[0].Actor)
	}
}

func TestConcurrentStartsSeedOnce(t *testing.T) {
	f := newFront(t)
	owner := f.db.Owner(t)
	for range 5 {
		testkit.Exec(t, owner, `TRUNCATE services, due_dates, outbox, office, office_versions`)
		var starts sync.WaitGroup
		for range 8 {
			starts.Go(func() {
				s := New(f.db.Pool, outbox.New(contract.SourceDirectory, f.db.Pool), nil, f.office.Options)
				if err := postgres.AtStart(t.Context(), s.Start); err != nil {
					t.Error(err)
				}
			})
		}
		starts.Wait()
		if published := f.events(t); len(published) != 49 {
			t.Errorf("eight starts published %d events, want 11 services, 37 due dates and the office", len(published))
		}
	}
}

// S3.service.04: an admin creates, changes and deactivates services; each change publishes one event.
func TestAdminCreatesAndUpdatesServices(t *testing.T) {
	f := newFront(t)
	w := f.call(t, "admin", "POST", "/api/services", `{"name":" Notice Reply ","est_minutes":25,"unknown":true}`)
	made := decode[serviceAnswer](t, w.Body.Bytes()).Service
	if w.Code != http.StatusCreated || made.Name != "Notice Reply" || made.Description != "" || made.EstMinutes != 25 ||
		made.IsActive != 1 {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	w = f.call(t, "admin", "PUT", "/api/services/"+made.ID,
		`{"name":"Notice Reply","description":"To the department","est_minutes":40,"is_active":0}`)
	changed := decode[serviceAnswer](t, w.Body.Bytes()).Service
	if w.Code != http.StatusOK || changed.Description != "To the department" || changed.EstMinutes != 40 ||
		changed.IsActive != 0 {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	// Omitted fields are unchanged, and a request that changes nothing publishes no event.
	w = f.call(t, "admin", "PUT", "/api/services/"+made.ID, `{"name":"Notice Reply","est_minutes":40}`)
	same := decode[serviceAnswer](t, w.Body.Bytes()).Service
	if w.Code != http.StatusOK || !reflect.DeepEqual(same, changed) {
		t.Fatalf("answered %d %s", w.Code, w.Body)
	}
	published := f.events(t, contract.ServiceCreated, contract.ServiceUpdated)[11:]
	if len(published) != 2 || published[0].Actor.Role != "admin" || published[1].EntityID != made.ID {
		t.Fatalf("published %+v", published)
	}
	before, after := decode[contract.Service](t, published[1].Before), decode[contract.Service](t, published[1].After)
	if !before.IsActive || after.IsActive || after.EstMinutes != 40 {
		t.Errorf("published %+v and %+v", before, after)
	}
}

func TestServicesAreOrderedByActivityPlaceAndName(t *testing.T) {
	f := newFront(t)
	for _, name := range []string{"zakat advice", "Appeals"} {
		f.call(t, "admin", "POST", "/api/services", fmt.Sprintf(`{"name":%q,"est_minutes":10}`, name))
	}
	list := decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services
	f.call(t, "admin", "PUT", "/api/services/"+list[0].ID, `{"name":"ITR Filing","est_minutes":30,"is_active":0}`)

	all := names(decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services)
	offered := strings.TrimPrefix(defaultServices, "ITR Filing, ") + ", Appeals, zakat advice"
	if all != offered+", ITR Filing" {
		t.Errorf("admin: %s", all)
	}
	for _, role := range []string{"reception", "pa", "consultant"} {
		w := f.call(t, role, "GET", "/api/services", "")
		if listed := names(decode[servicesAnswer](t, w.Body.Bytes()).Services); listed != offered {
			t.Errorf("%s: %s", role, listed)
		}
	}
}

func TestServiceNameIsUniqueIgnoringCase(t *testing.T) {
	f := newFront(t)
	list := decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services
	for _, w := range []struct{ method, target string }{
		{"POST", "/api/services"}, {"PUT", "/api/services/" + list[1].ID},
	} {
		got := f.call(t, "admin", w.method, w.target, `{"name":"itr filing","est_minutes":10}`)
		if got.Code != http.StatusConflict || !strings.Contains(got.Body.String(), `"name_taken"`) {
			t.Errorf("%s answered %d %s", w.method, got.Code, got.Body)
		}
	}
	if published := f.events(t, contract.ServiceCreated, contract.ServiceUpdated); len(published) != 11 {
		t.Errorf("a rejected name published %d events", len(published)-11)
	}
}

func TestInvalidServiceFieldsHaveTheirOwnMessages(t *testing.T) {
	f := newFront(t)
	list := decode[servicesAnswer](t, f.call(t, "admin", "GET", "/api/services", "").Body.Bytes()).Services
	rejected := []struct{ what, body, sentence string }{
		{"no name", `{"est_minutes":10}`, nameMissing.Sentence},
		{"a name that is no text", `{"name":5,"est_minutes":10}`, nameMissing.Sentence},
		{"an invisible name", `{"name":"\u200b \u200d","est_minutes":10}`, nameMissing.Sentence},
		{"81 characters", `{"name":"` + strings.Repeat("य", 81) + `","est_minutes":10}`,
			"Please shorten the name to 80 characters"},
		{"a bidi control", `{"name":"a\u202eb","est_minutes":10}`, fault.NameIllegal.Sentence},
		{"a NUL", `{"name":"a\u0000b","est_minutes":10}`, fault.NameIllegal.Sentence},
		{"a long description", `{"name":"a","est_minutes":10,"description":"` + strings.Repeat("d", 501) + `"}`,
			descriptionLong.Sentence},
		{"a NUL in the description", `{"name":"a","est_minutes":10,"description":"\u0000"}`, descriptionIllegal.Sentence},
		{"no minutes", `{"name":"a"}`, minutesWrong.Sentence},
		{"0 minutes", `{"name":"a","est_minutes":0}`, minutesWrong.Sentence},
		{"481 minutes", `{"name":"a","est_minutes":481}`, minutesWrong.Sentence},
		{"half a minute", `{"name":"a","est_minutes":30.5}`, minutesWrong.Sentence},
		{"huge minutes", `{"name":"a","est_minutes":1e999}`, minutesWrong.Sentence},
		{"activity as a word", `{"name":"a","est_minutes":10,"is_active":true}`, activeWrong.Sentence},
		{"activity 2", `{"name":"a","est_minutes":10,"is_active":2}`, activeWrong.Sentence},
		{"a key in another case", `{"name":"a","est_minutes":10,"NAME":"b"}`,
			"The request could not be read. Please try again."},
		{"a key twice", `{"name":"a","name":"b","est_minutes":10}`, "The request could not be read. Please try again."},
	}
	for _, c := range rejected {
		for _, to := range []struct{ method, target string }{
			{"POST", "/api/services"}, {"PUT", "/api/services/" + list[0].ID},
		} {
			w := f.call(t, "admin", to.method, to.target, c.body)
			if got := decode[fault.Body](t, w.Body.Bytes()).Error; w.Code != http.StatusBadRequest || got != c.sentence {
				t.Errorf("%s with %s answered %d %q, want %q", to.method, c.what, w.Code, got, c.sentence)
			}
		}
	}
	longest := `{"name":"` + strings.Repeat("य", 80) + `","est_minutes":480,"description":"` +
		strings.Repeat("d", 500) + `"}`
	for _, body := range []string{longest, `{"name":"b","est_minutes":1,"description":"one\ntwo"}`} {
		if w := f.call(t, "admin", "POST", "/api/services", body); w.Code != http.StatusCreated {
			t.Errorf("the longest valid texts answered %d %s", w.Code, w.Body)
		}
	}
	if published := f.events(t, contract.ServiceCreated, contract.ServiceUpdated); len(published) != 13 {
		t.Errorf("rejected bodies published %d events", len(published)-13)
	}
}
