package directory

import (
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/contract/contracttest"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

// account returns an event of auth about a user.
func account(kind string, before, after *contract.User) outbox.Change {
	change := outbox.Change{Type: kind, Entity: contract.EntityUser, Actor: &outbox.Actor{ID: "admin", Role: "admin"}}
	if before != nil {
		change.EntityID, change.Before = before.ID, *before
	}
	if after != nil {
		change.EntityID, change.After = after.ID, *after
	}
	return change
}

func user(name, role string, edits ...func(*contract.User)) *contract.User {
	u := &contract.User{ID: testkit.ID(name), Name: "The " + name, Email: name + "@example.com", Role: role,
		IsActive: true}
	for _, edit := range edits {
		edit(u)
	}
	return u
}

func inactive(u *contract.User) { u.IsActive = false }

func renamed(u *contract.User) { u.Name = "CA Rao" }

func (f *front) awaitRow(t *testing.T, want contract.Consultant) {
	t.Helper()
	testkit.Eventually(t, "directory has "+want.Name+" as in auth", func() bool {
		got, err := f.Consultant(t.Context(), want.ID)
		return err == nil && reflect.DeepEqual(got, want)
	})
}

// S3.consultant.01-02: a consultant's row follows the account: role, name, activity, deletion.
func TestConsultantsFollowAccounts(t *testing.T) {
	f := newFront(t)
	redis := testkit.NewRedis(t)
	auth := testkit.NewSource(t, contract.SourceAuth, redis.Bus)
	f.follow(t, auth, redis, f.FollowAuth())

	rao := contract.Consultant{ID: testkit.ID("rao"), Name: "The rao", Specialization: []string{"General Consultation"},
		Serves: []string{}, IsActive: true, Counter: new(string)}
	auth.Publish(t, account(contract.UserRegistered, nil, user("rao", "reception")),
		account(contract.UserRoleSet, user("rao", "reception"), user("rao", "consultant")))
	f.awaitRow(t, rao)
	if _, err := f.Specialize(as(t, "admin"), rao.ID, Skills{Specialization: []string{"GST", "Audit"}}); err != nil {
		t.Fatal(err)
	}
	rao.Specialization = []string{"GST", "Audit"}

	auth.Publish(t, account(contract.UserUpdated, user("rao", "consultant"), user("rao", "consultant", renamed)))
	rao.Name = "CA Rao"
	f.awaitRow(t, rao)
	auth.Publish(t, account(contract.UserDeactivated, user("rao", "consultant", renamed),
		user("rao", "consultant", renamed, inactive)))
	rao.IsActive = false
	f.awaitRow(t, rao)
	auth.Publish(t, account(contract.UserActivated, user("rao", "consultant", renamed, inactive),
		user("rao", "consultant", renamed)))
	rao.IsActive = true
	f.awaitRow(t, rao)
	auth.Publish(t, account(contract.UserRoleChanged, user("rao", "consultant", renamed), user("rao", "pa", renamed)))
	rao.IsActive = false
	f.awaitRow(t, rao)
	auth.Publish(t, account(contract.UserRoleChanged, user("rao", "pa", renamed), user("rao", "consultant", renamed)))
	rao.IsActive = true
	f.awaitRow(t, rao)
	auth.Publish(t, account(contract.UserDeleted, user("rao", "consultant", renamed), nil))
	rao.IsActive = false
	f.awaitRow(t, rao)

	// The deletion of a user who is no longer a consultant changes nothing.
	auth.Publish(t, account(contract.UserDeleted, user("rao", "pa", renamed), nil))
	f.caughtUp(t, auth)

	published := f.events(t, contract.ConsultantCreated, contract.ConsultantUpdated)
	if len(published) != 8 || published[0].Type != contract.ConsultantCreated || published[0].Actor != nil ||
		published[1].Actor.Role != "admin" || published[2].Actor != nil {
		t.Fatalf("published %d events: %+v", len(published), published)
	}
	for i := 1; i < len(published); i++ {
		if !reflect.DeepEqual(decode[contract.Consultant](t, published[i].Before),
			decode[contract.Consultant](t, published[i-1].After)) {
			t.Errorf("event %d begins with %s, the one before ended with %s", i, published[i].Before, published[i-1].After)
		}
	}
}

func TestOtherAccountsAddNoConsultant(t *testing.T) {
	f := newFront(t)
	redis := testkit.NewRedis(t)
	auth := testkit.NewSource(t, contract.SourceAuth, redis.Bus)
	f.follow(t, auth, redis, f.FollowAuth())
	auth.Publish(t,
		account(contract.UserRegistered, nil, user("asha", "reception")),
		account(contract.UserPasswordChanged, user("asha", "reception"), user("asha", "reception")),
		outbox.Change{Type: contract.SessionSignedIn, Entity: contract.EntitySession, EntityID: testkit.ID("asha"),
			After: contract.Session{UserID: testkit.ID("asha")}},
		outbox.Change{Type: "access_denied", Entity: contract.EntityAccess, EntityID: "GET /api/users",
			After: map[string]any{"count": 1}},
		account(contract.UserDeleted, user("asha", "reception"), nil),
		account(contract.UserInvited, nil, user("meena", "consultant", inactive)))
	f.caughtUp(t, auth)
	all, err := f.Consultants(t.Context(), nil, feed.Since{})
	if err != nil || len(all.List) != 1 || all.List[0].Name != "The meena" || all.List[0].IsActive {
		t.Errorf("the consultants are %+v, %v", all.List, err)
	}
}

// A restored auth publishes its history again. Consultants without an event in it become inactive, which is published.
func TestNewEpochOfAuthDeactivatesMissingConsultants(t *testing.T) {
	f := newFront(t)
	redis := testkit.NewRedis(t)
	auth := testkit.NewSource(t, contract.SourceAuth, redis.Bus)
	f.follow(t, auth, redis, f.FollowAuth())
	auth.Publish(t, account(contract.UserInvited, nil, user("rao", "consultant")),
		account(contract.UserInvited, nil, user("lost", "consultant")))
	f.caughtUp(t, auth)
	if _, err := f.Specialize(as(t, "admin"), testkit.ID("rao"), Skills{Specialization: []string{"GST"}}); err != nil {
		t.Fatal(err)
	}
	testkit.Exec(t, auth.DB.Owner(t), `DELETE FROM outbox WHERE seq = 2`)
	testkit.Exec(t, auth.DB.Owner(t), `UPDATE stream_head SET epoch = gen_random_uuid(), head = 1`)
	f.caughtUp(t, auth)
	f.awaitRow(t, contract.Consultant{ID: testkit.ID("rao"), Name: "The rao", Specialization: []string{"GST"},
		Serves: []string{}, IsActive: true, Counter: new(string)})
	f.awaitRow(t, contract.Consultant{ID: testkit.ID("lost"), Name: "The lost",
		Specialization: []string{"General Consultation"}, Serves: []string{}, IsActive: false, Counter: new(string)})
	published := f.events(t, contract.ConsultantUpdated)
	if last := published[len(published)-1]; last.EntityID != testkit.ID("rao") ||
		!decode[contract.Consultant](t, last.After).IsActive {
		t.Errorf("the last event is %s", last.After)
	}
}

// S7.api.14, S3.consultant.03-04: if a request waits for the position of an event, the response includes the event.
func TestQueuesIncludeTheAwaitedEvent(t *testing.T) {
	f := newFront(t)
	redis := testkit.NewRedis(t)
	visits := testkit.NewSource(t, contract.SourceVisits, redis.Bus)
	f.follow(t, visits, redis, f.FollowVisits())
	consultant := testkit.ID("consultant")
	f.addConsultants(t, consultant, testkit.ID("other"))
	day := contracttest.NewOffice(7, morning, time.UTC, consultant)
	want := map[string]int{}
	for range 60 {
		change := day.Next()
		visits.Publish(t, change)
		count(want, change)
		testkit.Eventually(t, "the event has its number",
			func() bool { return visits.Head(t).Seq == int64(want["events"]) })

		f.store.clock = at(day.Clock)
		w := f.call(t, "pa", "GET", "/api/users/consultants", "", feed.HeaderMin, visits.Head(t).Header("visits"))
		list := decode[consultantsAnswer](t, w.Body.Bytes()).Consultants
		if w.Header().Get(feed.HeaderSeq) != visits.Head(t).Header("visits") {
			t.Fatalf("waited for %s, answered at %s", visits.Head(t).Header("visits"), w.Header().Get(feed.HeaderSeq))
		}
		if len(list) != 2 || list[0].Name != "CA Anand" || list[1].ID != consultant {
			t.Fatalf("answered %s", w.Body)
		}
		got := list[1]
		if got.CurrentQueue != want["approved"] || got.TotalSessions != want["completed"] ||
			got.InSession != (want["in-session"] == 1) {
			t.Fatalf("after event %d: %+v, want %v", want["events"], got, want)
		}
	}
}

func count(counts map[string]int, change outbox.Change) {
	counts["events"]++
	counts[change.After.(contract.Visit).Status]++
	if before, ok := change.Before.(contract.Visit); ok {
		counts[before.Status]--
	}
}

func TestConsultantSeesOnlyOwnRow(t *testing.T) {
	f := newFront(t)
	f.addConsultants(t, testkit.ID("consultant"), testkit.ID("other"))
	w := f.call(t, "consultant", "GET", "/api/users/consultants", "")
	// ASVS 8.2.2
	if list := decode[consultantsAnswer](t, w.Body.Bytes()).Consultants; len(list) != 1 || list[0].Name != "CA Rao" ||
		list[0].CurrentQueue != 0 || list[0].TotalSessions != 0 {
		t.Errorf("answered %s", w.Body)
	}
	if w.Header().Get(feed.HeaderSeq) != "visits=none:0" {
		t.Errorf("without a position in visits' events, the answer is at %s", w.Header().Get(feed.HeaderSeq))
	}
	if w := f.call(t, "reception", "GET", "/api/users/consultants", ""); w.Code != http.StatusForbidden {
		t.Errorf("reception: answered %d", w.Code)
	}
}

func TestSessionsAreCountedByOfficeDay(t *testing.T) {
	f := newFront(t)
	consultant := testkit.ID("consultant")
	f.addConsultants(t, consultant)
	testkit.Exec(t, f.db.Pool, `INSERT INTO assigned_visits VALUES
		(gen_random_uuid(), $1, 'completed', '2026-11-19T18:29:59Z'),
		(gen_random_uuid(), $1, 'completed', '2026-11-19T18:30:00Z'),
		(gen_random_uuid(), $1, 'completed', '2026-11-20T18:29:59Z'),
		(gen_random_uuid(), $1, 'completed', '2026-11-20T18:30:00Z')`, consultant)
	for text, want := range map[string]int{"2026-11-19T18:29:59Z": 1, "2026-11-19T18:30:00Z": 2, "2026-11-20T18:29:59Z": 2,
		"2026-11-20T18:30:00Z": 1} {
		now, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		f.store.clock = at(now)
		all, err := f.Consultants(t.Context(), nil, feed.Since{})
		if err != nil || all.List[0].Load.Completed != want {
			t.Errorf("at %s: %+v, %v; want %d", text, all.List, err, want)
		}
	}
}

func TestInvalidSpecializationsHaveTheirOwnMessages(t *testing.T) {
	f := newFront(t)
	id := testkit.ID("consultant")
	f.addConsultants(t, id)
	twentyOne := `["a"` + repeat(`,"a"`, 20) + `]`
	for body, want := range map[string]fault.Message{
		`{}`:                                             specializationMissing,
		`{"specialization":[]}`:                          specializationMissing,
		`{"specialization":"GST"}`:                       specializationMissing,
		`{"specialization":[1]}`:                         specializationMissing,
		`{"specialization":` + twentyOne + `}`:           specializationMany,
		`{"specialization":[" "]}`:                       specializationWrong,
		`{"specialization":["a\u0000"]}`:                 specializationWrong,
		`{"specialization":["` + repeat("a", 81) + `"]}`: specializationWrong,
	} {
		w := f.call(t, "admin", "PUT", "/api/consultants/"+id, body)
		if got := decode[fault.Body](t, w.Body.Bytes()).Error; w.Code != http.StatusBadRequest || got != want.Sentence {
			t.Errorf("%s answered %d %s", body, w.Code, w.Body)
		}
	}
	for range 2 {
		w := f.call(t, "admin", "PUT", "/api/consultants/"+id, `{"specialization":[" GST ","Audit"]}`)
		if got := decode[consultantAnswer](t, w.Body.Bytes()).Consultant; w.Code != http.StatusOK ||
			!reflect.DeepEqual(got.Specialization, []string{"GST", "Audit"}) {
			t.Errorf("answered %d %s", w.Code, w.Body)
		}
	}
	if published := f.events(t, contract.ConsultantUpdated); len(published) != 1 {
		t.Errorf("the same request twice published %d events", len(published))
	}
}

func repeat(text string, times int) (all string) {
	for range times {
		all += text
	}
	return all
}

// truth computes the expected loads from the last event of each visit.
const truth = `
WITH last AS (SELECT DISTINCT ON (entity_id) after FROM outbox WHERE entity = 'visit' ORDER BY entity_id, seq DESC)
SELECT after->>'consultantId',
  count(*) FILTER (WHERE after->>'status' = 'approved'
    AND coalesce(after->>'stage', 'waiting') IN ('waiting', 'called')),
  count(*) FILTER (WHERE after->>'status' = 'completed' AND
    ((after->>'completedAt')::timestamptz AT TIME ZONE 'Asia/Kolkata')::date =
    ($1::timestamptz AT TIME ZONE 'Asia/Kolkata')::date),
  count(*) FILTER (WHERE after->>'status' = 'in-session') = 1
FROM last WHERE after->>'consultantId' IS NOT NULL GROUP BY 1 ORDER BY 1`

// I13: after a stop, with an empty projection and an empty Redis, directory's counts equal those that SQL computes from
// the events of visits. The first events have no stage, like events of older releases.
func TestLoadsAreRebuiltFromThousandsOfEvents(t *testing.T) {
	f := newFront(t)
	redis := testkit.NewRedis(t)
	visits := testkit.NewSource(t, contract.SourceVisits, redis.Bus)
	consultants := []string{testkit.ID("anand"), testkit.ID("rao"), testkit.ID("sen")}
	for _, id := range consultants {
		testkit.Exec(t, f.db.Pool, `INSERT INTO consultants VALUES ($1, $1, '{GST}', true)`, id)
	}
	zone, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Fatal(err)
	}
	day := contracttest.NewOffice(11, morning, zone, consultants...)
	stop := f.follow(t, visits, redis, f.FollowVisits())
	visits.Publish(t, day.Events(testkit.Volume(500, 150))...)
	f.caughtUp(t, visits)
	stop()

	day.Lives = true
	visits.Publish(t, day.Events(testkit.Volume(3_000, 900))...)
	testkit.Exec(t, f.db.Owner(t), `TRUNCATE assigned_visits, feed_cursor`)
	redis.Stop()
	redis.Start(t)
	f.follow(t, visits, redis, f.FollowVisits())
	f.caughtUp(t, visits)
	f.store.clock = at(day.Clock)
	f.checkLoads(t, visits, day.Clock)

	// A restored source begins a new epoch: the projection is emptied and rebuilt.
	visits.BeginEpoch(t)
	f.caughtUp(t, visits)
	f.checkLoads(t, visits, day.Clock)
}

func (f *front) checkLoads(t *testing.T, visits *testkit.Source, now time.Time) {
	t.Helper()
	type load struct {
		ID                 string
		Waiting, Completed int
		Running            bool
	}
	rows, err := visits.DB.Pool.Query(t.Context(), truth, now)
	if err != nil {
		t.Fatal(err)
	}
	want, err := pgx.CollectRows(rows, pgx.RowToStructByPos[load])
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.Consultants(t.Context(), nil, feed.Since{})
	if err != nil {
		t.Fatal(err)
	}
	var got []load
	for _, one := range all.List {
		got = append(got, load{one.ID, one.Load.Waiting, one.Load.Completed, one.Load.Running})
	}
	if len(want) != 3 || !reflect.DeepEqual(got, want) {
		t.Errorf("the loads are %+v\nby the events %+v", got, want)
	}
	if all.At != visits.Head(t) {
		t.Errorf("the answer is at %v, visits at %v", all.At, visits.Head(t))
	}
}
