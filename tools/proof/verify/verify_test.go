package verify

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const header = "method,route,variant,anonymous,reception,pa,consultant,admin,inactive,display,rule\n"

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "matrix.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// T6: if a cell is replaced by its opposite, the comparison with the answers fails.
func TestACellAndItsOppositeNeverAgree(t *testing.T) {
	for _, cell := range []Cell{Allow, Own, Unrouted, Impossible, "401", "403", "404", "400", "405"} {
		for _, status := range []int{200, 201, 202, 204, 302, 400, 401, 403, 404, 405, 409, 500, 503} {
			if cell.Judge(status) == nil && cell.Flipped().Judge(status) == nil {
				t.Errorf("%d is both %s and %s", status, cell, cell.Flipped())
			}
		}
	}
}

func TestCellsMatchTheirStatuses(t *testing.T) {
	for cell, allowed := range map[Cell][]int{
		Allow: {200, 201, 204, 302}, Own: {200}, Unrouted: {404}, "403": {403}, Impossible: {},
	} {
		for _, status := range []int{200, 201, 204, 302, 401, 403, 404, 409, 500} {
			want := slices.Contains(allowed, status)
			if cell == Own && status < 400 {
				want = true
			}
			if got := cell.Judge(status) == nil; got != want {
				t.Errorf("%s of %d: %v", cell, status, got)
			}
		}
	}
}

// T6: the API documents and the matrix must list the same requests.
func TestExtraAndMissingRowsAreNamed(t *testing.T) {
	rows, err := ReadMatrix(written(t, header+
		"GET,/api/a,,allow,allow,allow,allow,allow,allow,allow,\n"+
		"GET,/api/gone,,401,own,own,own,own,403,403,\n"+
		"GET,/internal/x,,unrouted,unrouted,unrouted,unrouted,unrouted,unrouted,unrouted,\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(Differences(rows, []Call{
		{Method: "GET", Path: "/api/a"}, {Method: "PUT", Path: "/api/new"},
	}), "\n")
	if want := "GET /api/gone has a row and is not served\nPUT /api/new is served and has no row"; got != want {
		t.Errorf("got %s", got)
	}
}

func TestAnIncompleteMatrixIsRejected(t *testing.T) {
	for name, text := range map[string]string{
		"another header": strings.Replace(header, "pa,", "", 1),
		"an empty cell":  header + "GET,/api/a,,,allow,allow,allow,allow,allow,allow,\n",
		"a typing error": header + "GET,/api/a,,alow,allow,allow,allow,allow,allow,allow,\n",
		"a row twice":    header + strings.Repeat("GET,/api/a,,allow,allow,allow,allow,allow,allow,allow,\n", 2),
	} {
		if _, err := ReadMatrix(written(t, text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestTheDocumentsOfTheServicesAreRead(t *testing.T) {
	calls, err := ReadCalls("../../..")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(calls, func(c Call) bool { return c.Method == "POST" && c.Path == "/api/visits" })
	if at < 0 || !slices.Contains(calls[at].Fields, "phone") || !slices.Contains(calls[at].Headers, "Idempotency-Key") ||
		calls[at].Service != "visits" {
		t.Errorf("%d calls, POST /api/visits at %d", len(calls), at)
	}
}
