package audit

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/testkit"
)

func rows(t *testing.T, w *httptest.ResponseRecorder) [][]string {
	t.Helper()
	body, marked := strings.CutPrefix(w.Body.String(), "\uFEFF")
	all, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || !marked || len(all) == 0 {
		t.Fatalf("answered %d %q: %v", w.Code, w.Body, err)
	}
	const columns = "Date, Token, Name, Phone, Service, Status, Consultant, Created, Decided, Started, Completed, " +
		"Wait (min), Session (min), Reception Notes, PA Notes, Session Notes, Created By, Decided By"
	if head := strings.Join(all[0], ", "); head != columns {
		t.Errorf("the columns are %s", head)
	}
	return all[1:]
}

// S7.api.20: the export has the visits of the period, ordered by day and token, with times in the office's time zone.
func TestExportHasTheVisitsOfThePeriod(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	day := newDay(t, 17)
	latest := map[string]contract.Visit{}
	changes := day.Events(testkit.Volume(3000, 2000)) // roughly two days
	visits.Publish(t, changes...)
	for _, change := range changes {
		latest[change.EntityID] = change.After.(contract.Visit)
	}
	o.caughtUp(t, visits)
	start, end := "2026-11-20", day.Clock.In(day.Zone).Format(time.DateOnly)

	w := o.call(t, "admin", "/api/analytics/export?start_date="+start+"&end_date="+end)
	// ASVS 3.2.1, 4.1.1, 5.4.1, 5.4.2
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/csv; charset=utf-8" ||
		w.Header().Get("Content-Disposition") != `attachment; filename="visitors_`+start+`_`+end+`.csv"` {
		t.Fatalf("answered %d %v", w.Code, w.Header())
	}
	if w.Header().Get("X-Row-Count") != strconv.Itoa(len(latest)) {
		t.Errorf("X-Row-Count is %s, for %d visits", w.Header().Get("X-Row-Count"), len(latest))
	}
	if w.Header().Get(feed.HeaderSeq) != visits.Head(t).Header("visits") {
		t.Errorf("the file is at %s", w.Header().Get(feed.HeaderSeq))
	}
	got := rows(t, w)
	if len(got) != len(latest) {
		t.Fatalf("%d rows of %d visits", len(got), len(latest))
	}
	byToken := map[string][]string{}
	for i, row := range got {
		if i > 0 && (row[0] < got[i-1][0] || row[0] == got[i-1][0] && row[1] <= got[i-1][1] &&
			len(row[1]) <= len(got[i-1][1])) {
			t.Errorf("%s %s follows %s %s", row[0], row[1], got[i-1][0], got[i-1][1])
		}
		byToken[row[0]+row[1]] = row
	}
	for _, visit := range latest {
		if want := exported(visit, day.Zone); strings.Join(byToken[visit.Day+visit.Token], "|") != strings.Join(want, "|") {
			t.Fatalf("%s %s is\n%q, want\n%q", visit.Day, visit.Token, byToken[visit.Day+visit.Token], want)
		}
	}
	if one := rows(t, o.call(t, "admin", "/api/analytics/export?start_date="+start+"&end_date="+start)); len(one) == 0 ||
		len(one) == len(got) || one[len(one)-1][0] != start {
		t.Errorf("one day has %d rows of %d", len(one), len(got))
	}
}

// exported returns the expected row of a visit.
func exported(v contract.Visit, where *time.Location) []string {
	when := func(at *time.Time) string {
		if at == nil {
			return ""
		}
		local := at.In(where)
		return fmt.Sprintf("%04d-%02d-%02d %02d:%02d", local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute())
	}
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	number := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	created := time.Time(v.CreatedAt)
	return []string{
		v.Day, v.Token, v.Name, v.Phone, v.ServiceName, v.Status, text(v.ConsultantName),
		when(&created), when((*time.Time)(v.DecidedAt)), when((*time.Time)(v.StartedAt)), when((*time.Time)(v.CompletedAt)),
		number(v.WaitMinutes), number(v.DurationMinutes), v.ReceptionNotes, v.PANotes, v.SessionNotes,
		v.CreatedByName, text(v.DecidedByName),
	}
}

// The export has whole phone numbers, unless the installation masks them. It guards cells that start like a formula.
func TestExportGuardsFormulasAndMasksPhonesIfConfigured(t *testing.T) {
	for masked, phone := range map[bool]string{false: "9876543210", true: "98******10"} {
		o := newOffice(t, func(options *Options) { options.MaskPhones = masked })
		visits := o.source(t, contract.SourceVisits)
		o.follow(t, visits)
		change := arrivalAt(noon, 0, newDay(t, 1).Zone)
		visit := change.After.(contract.Visit)
		visit.Name, visit.ReceptionNotes = `=HYPERLINK("http://x")`, "one\ntwo, \"three\""
		change.After = visit
		visits.Publish(t, change)
		o.caughtUp(t, visits)
		o.store.clock = at(noon)
		w := o.call(t, "admin", "/api/analytics/export")
		row := rows(t, w)[0]
		// ASVS 1.2.10, 14.2.6
		if row[2] != `'=HYPERLINK("http://x")` || row[3] != phone || row[13] != "one\ntwo, \"three\"" {
			t.Errorf("masked %v: %q", masked, row)
		}
		if w.Header().Get("Content-Disposition") != `attachment; filename="visitors_2026-11-20_2026-11-20.csv"` {
			t.Errorf("without dates the file is %s", w.Header().Get("Content-Disposition"))
		}
	}
}

func TestInvalidExportDaysHaveTheirOwnMessages(t *testing.T) {
	o := newOffice(t)
	o.store.clock = at(noon)
	for query, want := range map[string]wrongField{
		"?start_date=2026-11-21":                     {"end_date", endBefore},
		"?start_date=2026-11-20&end_date=2026-11-19": {"end_date", endBefore},
		"?start_date=2025-11-19":                     {"end_date", tooLong},
		"?start_date=2025-11-20&end_date=2026-11-21": {"end_date", tooLong},
		"?start_date=x":                              {"start_date", startWrong},
		"?end_date=2026-02-30":                       {"end_date", endWrong},
		"?start_date=%00":                            {"start_date", startWrong},
		"?start_date=2026-11-20%22%0d%0aX: y":        {"start_date", startWrong},
	} {
		w := o.call(t, "admin", "/api/analytics/export"+strings.ReplaceAll(query, " ", "%20"))
		// ASVS 2.2.3, 5.4.1
		if got := decode[fault.Body](t, w.Body.Bytes()); w.Code != http.StatusBadRequest || !want.is(got) {
			t.Errorf("%s answered %d %+v", query, w.Code, got)
		}
	}
	for _, query := range []string{"", "?start_date=2025-11-20", "?start_date=&end_date=",
		"?start_date=2026-11-21&end_date=2027-11-21"} {
		if w := o.call(t, "admin", "/api/analytics/export"+query); w.Code != http.StatusOK || len(rows(t, w)) != 0 {
			t.Errorf("%q answered %d %s", query, w.Code, w.Body)
		}
	}
}

func TestExportIsRecorded(t *testing.T) {
	o := newOffice(t)
	visits, own := o.source(t, contract.SourceVisits), o.own(t)
	o.follow(t, visits)
	o.follow(t, own)
	for range 3 {
		visits.Publish(t, arrivalAt(noon, 0, newDay(t, 1).Zone))
	}
	o.caughtUp(t, visits)
	o.call(t, "admin", "/api/analytics/export?start_date=2026-11-01&end_date=2026-11-30")
	o.caughtUp(t, own)
	record := o.read(t, "?entity=export").Records[0]
	// ASVS 16.3.3
	if record.EntityID != "2026-11-01_2026-11-30" || record.Action != "exported" || *record.User.Role != "admin" {
		t.Errorf("%+v", record)
	}
	if published := decode[readPayload](t, record.NewValues); published.Rows != 3 ||
		published.Filters != (filters{StartDate: "2026-11-01", EndDate: "2026-11-30"}) {
		t.Errorf("%s", record.NewValues)
	}
}

// While an export runs, another export gets 503 with Retry-After.
func TestOneExportRunsAtATime(t *testing.T) {
	o := newOffice(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- o.Export(context.Background(), Days{"2026-11-20", "2026-11-20"}, false, func(feed.Position, int) io.Writer {
			close(entered)
			<-leave
			return io.Discard
		})
	}()
	<-entered
	finish := sync.OnceValue(func() error { close(leave); return <-done })
	t.Cleanup(func() { _ = finish() })
	w := o.call(t, "admin", "/api/analytics/export")
	// ASVS 15.2.2
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" ||
		decode[fault.Body](t, w.Body.Bytes()).Code != "busy" {
		t.Errorf("the second answered %d %s", w.Code, w.Body)
	}
	if err := finish(); err != nil {
		t.Error(err)
	}
	if w := o.call(t, "admin", "/api/analytics/export"); w.Code != http.StatusOK {
		t.Errorf("after the first it answered %d %s", w.Code, w.Body)
	}
}

const insertVisits = `
INSERT INTO visits SELECT gen_random_uuid(), '2026-11-20', n, 'T-' || n, 'Asha', '9876543210', 'ITR Filing', 'new',
  NULL, repeat('a note ', 20), '', '', now(), NULL, NULL, NULL, NULL, NULL, 'Meena', NULL
FROM generate_series(1, $1::int) n`

func TestLongExportUsesLittleMemory(t *testing.T) {
	o := newOffice(t)
	const many = 100_000
	testkit.Exec(t, o.db.Owner(t), insertVisits, many)
	out := &gauge{}
	if err := o.Export(t.Context(), Days{"2026-11-20", "2026-11-20"}, false,
		func(feed.Position, int) io.Writer { return out }); err != nil {
		t.Fatal(err)
	}
	if out.lines != many+1 || out.size < 20<<20 {
		t.Errorf("%d lines, %d bytes", out.lines, out.size)
	}
	// ASVS 1.4.3, 15.2.2
	if out.most > 16<<20 {
		t.Errorf("a file of %d MiB needed %d MiB", out.size>>20, out.most>>20)
	}
}

// gauge counts lines and bytes and measures the memory in use.
type gauge struct {
	lines, size, calls int
	least, most        uint64
}

func (g *gauge) Write(data []byte) (int, error) {
	g.lines += strings.Count(string(data), "\n")
	g.size += len(data)
	if g.calls++; g.calls%100 == 1 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		if g.least == 0 {
			g.least = stats.HeapAlloc
		}
		g.most = max(g.most, stats.HeapAlloc-min(g.least, stats.HeapAlloc))
	}
	return len(data), nil
}

// If an export fails, the connection is aborted, so that no client takes an incomplete file for a complete one.
func TestFailedExportAbortsTheResponse(t *testing.T) {
	o := newOffice(t)
	testkit.Exec(t, o.db.Pool, insertVisits, 20_000)
	server := httptest.NewServer(o.table)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), "GET",
		server.URL+"/api/analytics/export?start_date=2026-11-20&end_date=2026-11-20", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer token-admin")
	res, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadFull(res.Body, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	testkit.Exec(t, o.db.Owner(t), `
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND query LIKE '%FROM visits WHERE day%' AND pid <> pg_backend_pid()`)
	if n, err := io.Copy(io.Discard, res.Body); err == nil {
		t.Errorf("%d bytes were read as a complete file", n)
	}
}

// FuzzExportQuery checks that every accepted period has two valid days in order, spans at most 366 days, and is safe in
// a file name.
func FuzzExportQuery(f *testing.F) {
	for _, query := range []string{"", "start_date=2026-11-20", "end_date=2026-11-20",
		"start_date=2026-11-01&end_date=2026-11-30", "start_date=2024-02-29&end_date=2025-02-28",
		"start_date=0001-01-01&end_date=9999-12-31", "start_date=2026-11-20%22%0d%0a", "end_date=%ff", "start_date=-1",
		"start_date=2026-11-20&start_date=2026-11-21"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, text string) {
		query, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		days, err := readDays(query, "2026-11-20")
		if err != nil {
			if got := fault.Of(err); got.Kind != fault.Invalid || got.Sentence == "" || len(got.Fields) == 0 {
				t.Fatalf("%q is rejected with %v", text, err)
			}
			return
		}
		first, one := time.Parse(time.DateOnly, days.Start)
		last, two := time.Parse(time.DateOnly, days.End)
		if one != nil || two != nil || last.Before(first) || last.Sub(first).Hours()/24 > 365 || len(days.Start) != 10 ||
			len(days.End) != 10 {
			t.Fatalf("%q is read as %+v", text, days)
		}
	})
}
