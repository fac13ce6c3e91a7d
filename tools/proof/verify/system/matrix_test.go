package system

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"baari.dev/services/platform/testkit"
	"baari.dev/tools/proof/verify"
)

func readMatrix(t *testing.T) []verify.Row {
	t.Helper()
	rows, err := verify.ReadMatrix(filepath.Join(root, "services", "docs", "matrix.csv"))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestTheMatrixHasARowForEveryCallAndNoOther(t *testing.T) {
	for _, difference := range verify.Differences(readMatrix(t), calls) {
		// ASVS 8.2.1
		t.Error(difference)
	}
}

func TestEveryRowOfTheMatrixHasARequest(t *testing.T) {
	rows := readMatrix(t)
	asked := situations(rows)
	for _, row := range rows {
		if _, ok := asked[row.Key()]; !ok {
			t.Errorf("no test asks %s", row.Key())
		}
		delete(asked, row.Key())
	}
	for key := range asked {
		t.Errorf("a test asks what has no row: %s", key)
	}
}

// configured returns the name of the settings that a row needs, or "" if it needs none.
func configured(row verify.Row) string {
	switch {
	case strings.Contains(row.Variant, "REGISTRATION=approval") || strings.Contains(row.Variant, "simulated"):
		return "approval"
	case strings.Contains(row.Variant, "REGISTRATION=closed"):
		return "closed"
	}
	return ""
}

// T6: every cell of the matrix holds, both directly at the services and through the gateway.
func TestEveryCellOfTheMatrixHolds(t *testing.T) {
	tally := &tally{}
	for _, w := range ways(running) {
		// ASVS 8.2.1, 8.2.2, 8.3.1
		t.Run(w.name, func(t *testing.T) { askCells(t, newOffice(t, w), "", tally) })
	}
	t.Run("other registrations", func(t *testing.T) { askOtherRegistrations(t, tally) })
	tally.check(t, readMatrix(t))
}

// askOtherRegistrations checks the rows for systems where accounts await approval, or where registration is closed.
func askOtherRegistrations(t *testing.T, tally *tally) {
	system := startWith(t, "other", map[string]string{"REGISTRATION": "approval", "OFFICE_FILE": simulatedOffice(t)})
	var offices []*office
	for _, w := range ways(system) {
		offices = append(offices, newOffice(t, w))
		askCells(t, offices[len(offices)-1], "approval", tally)
	}
	closeRegistration(t, offices[0])
	for _, o := range offices {
		askCells(t, o, "closed", tally)
	}
}

// closeRegistration changes the settings of the office, and waits until auth follows them. REGISTRATION sets the mode
// of a new installation only.
func closeRegistration(t *testing.T, o *office) {
	t.Helper()
	o.save(t, "access", func(value object) { value["features"].(map[string]any)["registration"] = "closed" })
	testkit.Eventually(t, "auth rejects a registration", func() bool {
		return o.register(t) == http.StatusForbidden
	})
}

// simulatedOffice returns the path of an office document with simulated appointments.
func simulatedOffice(t *testing.T) string {
	t.Helper()
	return officeFile(t, func(document object) {
		document["features"].(map[string]any)["appointments"] = "simulated"
	})
}

func askCells(t *testing.T, o *office, system string, tally *tally) {
	rows := readMatrix(t)
	asked := situations(rows)
	for _, row := range rows {
		if configured(row) != system {
			continue
		}
		for _, column := range verify.Columns {
			if row.Cells[column] == verify.Impossible {
				tally.add(o.way, row, column, 0)
				continue
			}
			t.Run(row.Key()+" by "+column, func(t *testing.T) { askCell(t, o, asked[row.Key()], row, column, tally) })
		}
	}
}

func askCell(t *testing.T, o *office, s situation, row verify.Row, column string, tally *tally) {
	cell := row.Cells[column]
	for _, sender := range o.callers(t, s, column) {
		got := o.way.send(t, sender, s.ask(t, o, sender))
		if err := cell.Judge(got.status); err != nil {
			t.Errorf("%s: %v: %.200s", sender.what, err, got.body)
			continue
		}
		if cell == verify.Own && s.own != nil {
			s.own(t, o, sender, got)
		}
		tally.add(o.way, row, column, got.status)
	}
}

// tally records the statuses with which each cell was answered.
type tally struct {
	mu    sync.Mutex
	cells map[string][]int // statuses by way, row and column
}

func (c *tally) add(w way, row verify.Row, column string, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cells == nil {
		c.cells = map[string][]int{}
	}
	key := fmt.Sprint(w.name, " ", row.Key(), " ", column)
	c.cells[key] = append(c.cells[key], status)
}

// check fails unless every cell was tested directly and via the gateway, and its opposite would have failed.
func (c *tally) check(t *testing.T, rows []verify.Row) {
	t.Helper()
	answers := 0
	for _, w := range ways(running) {
		for _, row := range rows {
			for _, column := range verify.Columns {
				statuses := c.cells[fmt.Sprint(w.name, " ", row.Key(), " ", column)]
				answers += len(statuses)
				if len(statuses) == 0 {
					t.Errorf("no test requests %s by %s through %s", row.Key(), column, w.name)
				}
				for _, status := range statuses {
					if row.Cells[column].Flipped().Judge(status) == nil {
						t.Errorf("%s by %s: the opposite would pass as well", row.Key(), column)
					}
				}
			}
		}
	}
	t.Logf("%d cells, %d answers", 2*len(rows)*len(verify.Columns), answers)
}

// T6: no other verb on a known path is served, whichever caller sends it.
func TestNoOtherVerbIsServed(t *testing.T) {
	for _, w := range ways(running) {
		o := newOffice(t, w)
		verbs := map[string][]string{}
		for _, call := range calls {
			verbs[call.Path] = append(verbs[call.Path], call.Method)
		}
		for pattern, known := range verbs {
			path := strings.NewReplacer("{id}", unknownUser, "{token}", "token", "{code}", "code").Replace(pattern)
			if strings.HasPrefix(pattern, "/internal/") {
				continue
			}
			for _, verb := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"} {
				for _, column := range verify.Columns {
					if servedByAnother(verbs, pattern, verb) {
						continue
					}
					got := w.send(t, o.shared[column][0], ask{method: verb, path: path})
					// ASVS 3.5.3, 13.4.4
					mustRefuseVerb(t, verb+" "+pattern+" by "+column+" through "+w.name, pattern, got, known)
				}
			}
		}
	}
}

// servedByAnother reports whether a pattern that matches the path is served with this verb.
func servedByAnother(verbs map[string][]string, path, verb string) bool {
	for pattern, known := range verbs {
		same := slices.EqualFunc(strings.Split(pattern, "/"), strings.Split(path, "/"), func(of, is string) bool {
			return of == is || strings.HasPrefix(of, "{")
		})
		if same && slices.Contains(known, verb) {
			return true
		}
	}
	return false
}

func mustRefuseVerb(t *testing.T, what, pattern string, got reply, known []string) {
	t.Helper()
	if strings.HasPrefix(pattern, "/api/auth/") {
		if got.status != http.StatusNotFound || len(got.body) > 0 {
			t.Errorf("%s: %d %.100s, want 404 and nothing", what, got.status, got.body)
		}
		return
	}
	if got.status != http.StatusMethodNotAllowed || !strings.Contains(got.header.Get("Allow"), known[0]) {
		t.Errorf("%s: %d, Allow %q, want 405 and %v", what, got.status, got.header.Get("Allow"), known)
	}
}
