package audit

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
	"baari.dev/services/platform/wire"
)

// insertRecords inserts n records without a valid chain, one per minute, the first at 12:01 at the office. Every third
// record is of a session, the others are of a thousand visits.
const insertRecords = `
INSERT INTO audit_records
SELECT n, 'visits', '0198f3a0-0000-7000-8000-0000000000e0', n, gen_random_uuid(),
  CASE WHEN n % 3 = 0 THEN 'session' ELSE 'visit' END, 'id-' || n % 1000, 'created', '', '', '', '', '', '', 1,
  timestamptz '2026-11-20T06:30:00Z' + n * interval '1 minute', NULL, '{"a":1}', '', '', '', ''
FROM generate_series(1, $1::int) n`

func (o *office) fill(t *testing.T, n int) {
	t.Helper()
	owner := o.db.Owner(t)
	testkit.Exec(t, owner, insertRecords, n)
	testkit.Exec(t, owner, `UPDATE chain_head SET n = $1`, n)
}

// S7.api.19, S3.audit.01-05: a record has the action, values, actor, address and time. A record without an actor shows
// System.
func TestRecordHasActorActionAndValues(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	arrival := newDay(t, 1).Arrive()
	approved := arrival.After.(contract.Visit)
	consultant, name := "c", "CA Rao"
	approved.Status, approved.ConsultantID, approved.ConsultantName, approved.Version = contract.StatusApproved,
		&consultant, &name, 2
	visits.Publish(t, arrival, outbox.Change{Type: contract.VisitApproved, Entity: contract.EntityVisit,
		EntityID: approved.ID, Version: 2, Before: arrival.After, After: approved})
	o.caughtUp(t, visits)

	page := o.read(t, "")
	if len(page.Records) != 2 || page.Pagination != (pagination{Page: 1, Limit: 20, Total: 2, Pages: 1}) {
		t.Fatalf("%d records, %+v", len(page.Records), page.Pagination)
	}
	first, second := page.Records[1], page.Records[0]
	if first.ID != "1" || first.Entity != "visit" || first.EntityID != approved.ID || first.Action != "created" ||
		first.OldValues != nil && string(first.OldValues) != "null" {
		t.Errorf("%+v", first)
	}
	// ASVS 16.2.1
	if first.User.Name != "The reception" || *first.User.Role != "reception" ||
		*first.User.Email != "reception@example.com" || *first.IPAddress != "192.0.2.7" {
		t.Errorf("%+v", first.User)
	}
	if phone := decode[map[string]any](t, first.NewValues)["phone"].(string); !strings.Contains(phone, "******") {
		t.Errorf("the phone is %s", phone)
	}
	if second.Action != "approved" || second.User.Name != "System" || second.User.ID != nil || second.User.Role != nil ||
		second.IPAddress != nil {
		t.Errorf("%+v", second)
	}
	if string(second.OldValues) != `{"consultantId":null,"consultantName":null,"status":"new","version":1}` ||
		string(second.NewValues) != `{"consultantId":"c","consultantName":"CA Rao","status":"approved","version":2}` {
		t.Errorf("from %s to %s", second.OldValues, second.NewValues)
	}
	visitor := visitBody{approved.Token, approved.Name}
	if first.Visit == nil || *first.Visit != visitor || second.Visit == nil || *second.Visit != visitor {
		t.Errorf("the visits are %+v and %+v, want %+v", first.Visit, second.Visit, visitor)
	}
	if age := time.Since(time.Time(first.CreatedAt)); age < 0 || age > time.Minute {
		t.Errorf("its time is %s ago", age)
	}
}

// S7.api.16: the whole trail is read in pages, with an exact total.
func TestTrailIsPaged(t *testing.T) {
	o := newOffice(t)
	o.fill(t, 12_345)
	for _, c := range []struct{ query, first, last string }{
		{"", "12345", "12326"}, {"?page=2", "12325", "12306"}, {"?page=100&limit=100", "2445", "2346"},
		{"?page=124&limit=100", "45", "1"}, {"?page=125&limit=100", "", ""},
		{"?page=1000000000&limit=100", "", ""}, {"?page=&limit=&entity=&entity_id=&start_date=&end_date=", "12345", "12326"},
	} {
		page := o.read(t, c.query)
		if page.Pagination.Total != 12_345 || page.Pagination.Capped {
			t.Errorf("%q: %+v", c.query, page.Pagination)
		}
		if c.first == "" && len(page.Records) == 0 {
			continue
		}
		if n := len(page.Records); n == 0 || page.Records[0].ID != c.first || page.Records[n-1].ID != c.last {
			t.Errorf("%q answered %d records", c.query, n)
		}
	}
}

// S7.api.17-18: the trail is filtered by entity, entity id and office days. Counting stops at 10,000.
func TestTrailIsFiltered(t *testing.T) {
	o := newOffice(t)
	o.fill(t, 20_000)
	const minutesOfFirstDay = 12*60 - 1 // 12:01 to midnight at the office
	for _, c := range []struct {
		query  string
		total  int
		capped bool
		first  string
	}{
		{"?entity=session", 6_666, false, "19998"}, {"?entity=visit", 10_000, true, "20000"}, {"?entity=user", 0, false, ""},
		{"?entity_id=id-7", 20, false, "19007"}, {"?entity_id=id-7&entity=session", 6, false, "17007"},
		{"?entity_id=id-7&entity=user", 0, false, ""},
		{"?end_date=2026-11-20", minutesOfFirstDay, false, "719"},
		{"?start_date=2026-11-21&end_date=2026-11-21", 1440, false, "2159"},
		{"?start_date=2026-11-21", 10_000, true, "20000"}, {"?start_date=2027-01-01", 0, false, ""},
		{"?entity=session&end_date=2026-11-20", minutesOfFirstDay / 3, false, "717"},
		{"?start_date=9999-12-31&end_date=9999-12-31", 0, false, ""}, {"?end_date=0001-01-01", 0, false, ""},
	} {
		page := o.read(t, c.query)
		if page.Pagination.Total != c.total || page.Pagination.Capped != c.capped {
			t.Errorf("%q: %+v, want %d, %v", c.query, page.Pagination, c.total, c.capped)
		}
		if len(page.Records) != min(20, c.total) || c.total > 0 && page.Records[0].ID != c.first {
			t.Errorf("%q answered %d records", c.query, len(page.Records))
		}
	}
	if page := o.read(t, "?entity=visit&limit=100&page=100"); len(page.Records) != 100 {
		t.Errorf("the last counted page has %d records", len(page.Records))
	}
	if page := o.read(t, "?entity=visit&limit=100&page=101"); len(page.Records) != 0 || !page.Pagination.Capped {
		t.Errorf("a page beyond the counted total has %d records", len(page.Records))
	}
}

// wrongField is the only field that a validation error names, with its message.
type wrongField struct {
	field   string
	message fault.Message
}

// is reports whether got names the field with the sentence and the code of message.
func (w wrongField) is(got fault.Body) bool {
	return got.Fields[w.field] == w.message.Sentence && got.FieldCodes[w.field] == w.message.Code
}

func TestInvalidFiltersHaveTheirOwnMessages(t *testing.T) {
	o := newOffice(t)
	for query, want := range map[string]wrongField{
		"?page=0":                                {"page", pageWrong},
		"?page=x":                                {"page", pageWrong},
		"?page=-1":                               {"page", pageWrong},
		"?page=1e3":                              {"page", pageWrong},
		"?page=99999999999999999999":             {"page", pageWrong},
		"?limit=0":                               {"limit", limitWrong},
		"?limit=101":                             {"limit", limitWrong},
		"?entity=visits":                         {"entity", entityWrong},
		"?entity=%00":                            {"entity", entityWrong},
		"?q=%00":                                 {"q", queryWrong},
		"?q=%ff":                                 {"q", queryWrong},
		"?q=" + strings.Repeat("a", 101):         {"q", queryWrong},
		"?entity_id=%00":                         {"entity_id", entityIDWrong},
		"?entity_id=%ff":                         {"entity_id", entityIDWrong},
		"?entity_id=" + strings.Repeat("a", 201): {"entity_id", entityIDWrong},
		"?start_date=2026-02-30":                 {"start_date", startWrong},
		"?start_date=0000-01-01":                 {"start_date", startWrong},
		"?end_date=20.11.2026":                   {"end_date", endWrong},
		"?start_date=2026-11-21&end_date=2026-11-20": {"end_date", endBefore},
	} {
		w := o.call(t, "admin", "/api/analytics/audit"+query)
		// ASVS 1.4.2, 2.2.1
		if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != http.StatusBadRequest || !want.is(got) ||
			got.Error != want.message.Sentence {
			t.Errorf("%s answered %d %+v", query, w.Code, got)
		}
	}
	if published := sql[int](t, o.db, `SELECT count(*) FROM outbox`); published != 0 {
		t.Errorf("rejected requests published %d events", published)
	}
}

func TestReadOfTheTrailIsRecorded(t *testing.T) {
	o := newOffice(t)
	own := o.own(t)
	o.follow(t, own)
	o.read(t, "")
	o.read(t, "?entity=audit&start_date=2026-01-01&limit=5")
	o.caughtUp(t, own)
	page := o.read(t, "")
	if len(page.Records) != 2 {
		t.Fatalf("%d records", len(page.Records))
	}
	second := page.Records[0]
	// ASVS 16.3.3
	if second.Entity != "audit" || second.EntityID != "trail" || second.Action != "read" || *second.User.Role != "admin" {
		t.Errorf("%+v", second)
	}
	published := decode[readPayload](t, second.NewValues)
	if published.Filters != (filters{Entity: "audit", StartDate: "2026-01-01", Page: 1, Limit: 5}) || published.Rows > 1 {
		t.Errorf("%s", second.NewValues)
	}
}

// A response that waited for an event's position includes the record of the event.
func TestTrailIncludesTheAwaitedEvent(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	day := newDay(t, 2)
	for i := 1; i <= 40; i++ {
		visits.Publish(t, day.Next())
		for visits.Head(t).Seq < int64(i) {
			time.Sleep(time.Millisecond)
		}
		for _, target := range []string{"/api/analytics/dashboard", "/api/analytics/audit"} {
			w := o.call(t, "admin", target, feed.HeaderMin, visits.Head(t).Header("visits"))
			if got := w.Header().Get(feed.HeaderSeq); got != visits.Head(t).Header("visits") {
				t.Fatalf("%s: event %d is at %s, the answer at %s", target, i, visits.Head(t).Header("visits"), got)
			}
		}
	}
}

// Custom and generic plans of every page use an index, so that the cost of a page does not grow with the trail.
func TestPagesAreReadByAnIndex(t *testing.T) {
	o := newOffice(t)
	o.fill(t, 50_000)
	owner := o.db.Owner(t)
	testkit.Exec(t, owner, `ANALYZE audit_records`)
	for _, filter := range []Filter{{}, {Entity: "session"}, {EntityID: "id-7"}, {Entity: "visit", EntityID: "id-7"},
		{StartDate: "2026-11-22", EndDate: "2026-11-22"}, {Query: "T-024"}, {Query: "gopal rao"}} {
		find := searchOf(filter.Query)
		args := pgx.NamedArgs{"entity": filter.Entity, "entity_id": filter.EntityID, "start": wire.TextOf(filter.StartDate),
			"end":  wire.TextOf(filter.EndDate),
			"zone": zone, "skip": 400, "limit": 20, "counted": counted, "token": find.token, "words": find.words}
		numbered, _, err := args.RewriteQuery(t.Context(), owner, filter.statement(), nil)
		if err != nil {
			t.Fatal(err)
		}
		generic, err := owner.PgConn().Exec(t.Context(), `EXPLAIN (GENERIC_PLAN) `+numbered).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := owner.Query(t.Context(), `EXPLAIN `+filter.statement(), args)
		if err != nil {
			t.Fatal(err)
		}
		custom, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		for _, plan := range []string{lines(generic[0].Rows), strings.Join(custom, "\n")} {
			if strings.Contains(plan, "Seq Scan on audit_records") || !strings.Contains(plan, "on audit_records") {
				t.Errorf("%+v is read with\n%s", filter, plan)
			}
		}
	}
}

func lines(rows [][][]byte) string {
	var all []string
	for _, row := range rows {
		all = append(all, string(row[0]))
	}
	return strings.Join(all, "\n")
}

// FuzzAuditQuery checks that a query is read as a valid page or rejected with an error that names the field.
func FuzzAuditQuery(f *testing.F) {
	for _, query := range []string{"", "page=2&limit=100", "entity=visit&entity_id=1",
		"start_date=2026-11-20&end_date=2026-11-21", "page=-1", "limit=1e9", "entity_id=%00", "a=%zz",
		"start_date=2026-02-30", "q=T-024", "q= e\u0301 ",
		"page=9223372036854775808", "entity=visit&entity=user", "start_date=0000-00-00",
		"end_date=٢٠٢٦-١١-٢٠"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, text string) {
		query, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		req, err := readQuery(query)
		if err != nil {
			if got := fault.Of(err); got.Kind != fault.Invalid || got.Sentence == "" || len(got.Fields) == 0 {
				t.Fatalf("%q is rejected with %v", text, err)
			}
			return
		}
		if req.Page < 1 || req.Limit < 1 || req.Limit > 100 || (req.Page-1)*req.Limit < 0 ||
			strings.ContainsRune(req.Filter.EntityID, 0) {
			t.Fatalf("%q is read as %+v", text, req)
		}
		for _, day := range []string{req.Filter.StartDate, req.Filter.EndDate} {
			if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
				t.Fatalf("%q is read as the day %q", text, day)
			}
		}
		again, err := readQuery(url.Values{
			"entity": {req.Filter.Entity}, "entity_id": {req.Filter.EntityID}, "start_date": {req.Filter.StartDate},
			"end_date": {req.Filter.EndDate}, "q": {req.Filter.Query},
			"page": {fmt.Sprint(req.Page)}, "limit": {fmt.Sprint(req.Limit)},
		})
		if err != nil || again != req {
			t.Fatalf("%q is read as %+v and again as %+v, %v", text, req, again, err)
		}
	})
}

// T8: a query is accepted or rejected; no response is a 5xx.
func TestHostileQueriesAreAnsweredOrRejected(t *testing.T) {
	o := newOffice(t)
	hostile := []string{"'; DROP TABLE visits; --", "\" OR 1=1", "$1", "%s%n", "<script>", "../..", "a\r\nX-Evil: 1",
		"\x00", "\xff\xfe", "नमस्ते", "👩‍👩‍👧", "\u202eabc", "\u200b", "e\u0301",
		"=cmd", "-0", "1e999", "99999999999999999999", "-1", "0", "NaN", "null", "{}", "[]", "2026-11-20T00:00:00Z",
		"infinity", "today", "epoch", "9999-12-31", "10000-01-01", "0001-01-01", strings.Repeat("a", 5000)}
	for _, text := range hostile {
		for _, field := range []string{"page", "limit", "entity", "entity_id", "start_date", "end_date", "q"} {
			for _, target := range []string{"/api/analytics/audit", "/api/analytics/export", "/api/analytics/dashboard"} {
				// ASVS 1.2.4
				w := o.call(t, "admin", target+"?"+url.Values{field: {text}}.Encode())
				if w.Code >= http.StatusInternalServerError {
					t.Errorf("%s with %s %.40q answered %d %s", target, field, text, w.Code, w.Body)
				}
			}
		}
	}
}
