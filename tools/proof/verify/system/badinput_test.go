package system

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"

	"baari.dev/services/platform/testkit"
	"baari.dev/tools/proof/verify"
	"baari.dev/tools/stack"
)

var seed = flag.Uint64("seed", 1, "of the sample of bad requests")

// place is one part of a request that takes input.
type place struct {
	call     verify.Call
	in, name string // field in: body, query, header or path
}

func places() []place {
	var all []place
	for _, call := range calls {
		if strings.HasPrefix(call.Path, "/internal/") {
			continue
		}
		for in, names := range map[string][]string{"body": call.Fields, "query": call.Query,
			"header": append(call.Headers, "X-Request-Id", "Authorization", "Origin", "Content-Type")} {
			for _, name := range names {
				all = append(all, place{call, in, name})
			}
		}
		if strings.Contains(call.Path, "{") {
			all = append(all, place{call, "path", "id"})
		}
	}
	slices.SortFunc(all, func(a, b place) int {
		return strings.Compare(
			fmt.Sprint(a.call.Path, a.call.Method, a.in, a.name), fmt.Sprint(b.call.Path, b.call.Method, b.in, b.name),
		)
	})
	return all
}

// attack sends invalid requests as an admin, the role with the most rights, and records what the checks need.
type attack struct {
	office   *office
	asked    map[string]situation // keyed by operation, as are valid and callers
	valid    map[string]ask
	callers  map[string]*person
	rejected []string // ids of requests that must not have changed anything
	sent     int
}

// T8: no request is answered with a 5xx status, rejected requests change nothing, and memory does not grow.
func TestInvalidRequestsAreRejectedAndChangeNothing(t *testing.T) {
	inputs, err := verify.ReadBadInputs(filepath.Join(root, "tools", "proof", "verify", "badinput.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	a := newAttack(t, newOffice(t, ways(running)[1]))
	spots := places()
	t.Logf("%d places, %d inputs, seed %d", len(spots), len(inputs), *seed)
	random := rand.New(rand.NewPCG(*seed, 0))
	before := memory(t)
	// Pools and caches are full once this number of requests was sent. Short mode stops there and measures no growth.
	filled := badRequests / 5
	for a.sent < testkit.Volume(badRequests, filled) {
		// ASVS 3.4.5
		a.send(t, spots[random.IntN(len(spots))], inputs[random.IntN(len(inputs))])
		if a.sent == filled {
			before = memory(t)
		}
	}
	// ASVS 2.2.1, 2.2.2
	a.mustHaveChangedNothing(t)
	for name, kilobytes := range memory(t) {
		t.Logf("%s: %d kB, before %d kB", name, kilobytes, before[name])
		if kilobytes-before[name] > 48<<10 {
			t.Errorf("%s grew from %d kB to %d kB", name, before[name], kilobytes)
		}
	}
}

func newAttack(t *testing.T, o *office) *attack {
	t.Helper()
	a := &attack{office: o, asked: map[string]situation{}, valid: map[string]ask{}, callers: map[string]*person{}}
	rows := readMatrix(t)
	all := situations(rows)
	for _, row := range rows {
		call := row.Method + " " + row.Path
		if _, known := a.asked[call]; known || configured(row) != "" || row.Cells["anonymous"] == verify.Unrouted {
			continue
		}
		a.asked[call] = all[row.Key()]
		a.prepare(t, call)
	}
	return a
}

func (a *attack) prepare(t *testing.T, call string) {
	t.Helper()
	a.callers[call] = a.office.hire(t, "admin")
	a.valid[call] = a.asked[call].ask(t, a.office, a.callers[call])
}

// send inserts the input at the place of a valid request. It skips requests that no client can send.
func (a *attack) send(t *testing.T, at place, input verify.BadInput) {
	t.Helper()
	call := at.call.Method + " " + at.call.Path
	bad, ok := spoil(t, a.valid[call], at, input)
	if !ok {
		return
	}
	got, err := a.office.way.try(a.callers[call], bad)
	if err != nil {
		if strings.Contains(err.Error(), "invalid header field") {
			return
		}
		t.Fatalf("%s, %s %s = %.60q: %v", call, at.in, at.name, input.Text, err)
	}
	a.sent++
	what := fmt.Sprintf("%s, %s %s = %.60q", call, at.in, at.name, input.Text)
	mustCarryHeaders(t, what, bad, got)
	switch {
	case got.status >= http.StatusInternalServerError:
		t.Errorf("%s: %d %s", what, got.status, got.body)
	case got.status >= http.StatusBadRequest:
		mustSayNothingElse(t, what, bad, got)
		if at.name != "X-Request-Id" { // Other requests could have this id, too, if the gateway kept it.
			a.rejected = append(a.rejected, got.header.Get("X-Request-Id"))
		}
	default:
		mustHaveStored(t, what, at, input, got)
		if spends(call) {
			a.prepare(t, call)
		}
	}
}

// spends reports whether a successful request of this operation uses up what its next request needs.
func spends(call string) bool {
	return slices.ContainsFunc(
		[]string{"PUT ", "POST /api/visits/{id}/", "/visits/next", "sign-out", "revoke", "delete-user", "change-password"},
		func(part string) bool { return strings.Contains(call, part) },
	)
}

func spoil(t *testing.T, valid ask, at place, input verify.BadInput) (ask, bool) {
	t.Helper()
	bad := valid
	target, _, _ := strings.Cut(valid.path, "?")
	switch at.in {
	case "body":
		bad.body = spoiledBody(t, valid.body, at.name, input)
	case "query":
		values, err := url.ParseQuery(strings.TrimPrefix(valid.path[len(target):], "?"))
		if err != nil {
			t.Fatal(err)
		}
		values.Set(at.name, input.Text)
		bad.path = target + "?" + values.Encode()
	case "header":
		if len(input.Text) > 8<<10 {
			return bad, false // the connection is closed before the answer can be read
		}
		bad.header = http.Header{at.name: {input.Text}}
		if at.name == "Origin" {
			bad.origin = input.Text
		}
	case "path":
		segments := strings.Split(target, "/")
		for i, segment := range strings.Split(at.call.Path, "/") {
			if strings.HasPrefix(segment, "{") {
				segments[i] = url.PathEscape(input.Text)
			}
		}
		bad.path = strings.Join(segments, "/")
	}
	return bad, len(bad.path) < 15<<10
}

// spoiledBody returns the valid body with one member replaced by the bytes of the input.
func spoiledBody(t *testing.T, valid any, name string, input verify.BadInput) []byte {
	t.Helper()
	members := map[string]any{}
	if given, ok := valid.(object); ok {
		for key, value := range given {
			members[key] = value
		}
	}
	const mark = "the place of the bad input"
	members[name] = mark
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.Replace(string(text), `"`+mark+`"`, input.JSON(), 1))
}

// stored lists the fields that answers return in the form in which they were stored.
var stored = []string{"name", "notes", "description", "message"}

// mustHaveStored checks that the field, if the answer contains it, has the value of the input after NFC and trimming.
func mustHaveStored(t *testing.T, what string, at place, input verify.BadInput, got reply) {
	t.Helper()
	var answer map[string]json.RawMessage
	if at.in != "body" || !input.IsText() || !slices.Contains(stored, at.name) || at.call.Path == "/api/users" ||
		json.Unmarshal(got.body, &answer) != nil {
		return
	}
	for _, thing := range answer {
		var fields map[string]json.RawMessage
		var value string
		if json.Unmarshal(thing, &fields) != nil || json.Unmarshal(fields[at.name], &value) != nil {
			continue
		}
		if want := strings.TrimSpace(norm.NFC.String(input.Text)); value != want {
			t.Errorf("%s was stored as %q", what, value)
		}
	}
}

// mustHaveChangedNothing checks that rejected requests left no events but those of denials and failed sign-ins.
func (a *attack) mustHaveChangedNothing(t *testing.T) {
	t.Helper()
	for _, service := range stack.Services {
		var n int
		var sample string
		into(t, a.office.way.system.Roles(service).Owner, func(connection *pgx.Conn) error {
			return connection.QueryRow(context.Background(), `SELECT count(*), coalesce(min(type || ' ' || request_id), '')
				FROM outbox WHERE request_id = ANY($1) AND entity NOT IN ('access', 'session')`, a.rejected).Scan(&n, &sample)
		})
		if n > 0 {
			t.Errorf("%d events of %s by requests that were rejected, as %s", n, service, sample)
		}
	}
	t.Logf("%d sent, %d rejected", a.sent, len(a.rejected))
}
