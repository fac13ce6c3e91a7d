package observe

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

func mustLoad(t *testing.T) ([]Rule, []Dashboard) {
	t.Helper()
	rules, err := LoadRules(root)
	if err != nil {
		t.Fatal(err)
	}
	boards, err := LoadDashboards(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(rules) < 30 || len(boards) < 6 {
		t.Fatalf("%d rules and %d dashboards are all there is", len(rules), len(boards))
	}
	return rules, boards
}

// Every panel has a question as its title, a unit, and a description for the person on call.
func TestEachPanelAsksAQuestionAndSaysWhatItShows(t *testing.T) {
	_, boards := mustLoad(t)
	uids := map[string]bool{}
	for _, board := range boards {
		if uids[board.UID] || board.UID == "" || !strings.HasPrefix(board.Title, "Baari: ") {
			t.Errorf("%s is called %q, uid %q", board.File, board.Title, board.UID)
		}
		uids[board.UID] = true
		ids, titles := map[int]bool{}, map[string]bool{}
		for _, panel := range board.Panels {
			switch {
			case !strings.HasSuffix(panel.Title, "?"):
				t.Errorf("%s: %q is no question", board.File, panel.Title)
			case panel.FieldConfig.Defaults.Unit == "":
				t.Errorf("%s: %q has no unit", board.File, panel.Title)
			case len(panel.Description) < 10:
				t.Errorf("%s: %q has no description", board.File, panel.Title)
			case len(panel.Targets) == 0:
				t.Errorf("%s: %q asks nothing", board.File, panel.Title)
			case ids[panel.ID] || titles[panel.Title]:
				t.Errorf("%s: %q is there twice", board.File, panel.Title)
			}
			ids[panel.ID], titles[panel.Title] = true, true
		}
	}
}

var madeUp = regexp.MustCompile(`\b(vector|absent|absent_over_time)\s*\(`)

// A query that returns a value even if there are no data hides that the data are missing. Only the alert on missing
// targets may use such a query.
func TestNoQueryAnswersWithoutDataButTheAlertOnMissingTargets(t *testing.T) {
	rules, _ := mustLoad(t)
	meant := func(expr string) bool {
		return slices.ContainsFunc(rules, func(r Rule) bool { return r.Alert == "BaariTargetAbsent" && r.Expr == expr })
	}
	for _, expr := range allQueries(t) {
		if madeUp.MatchString(expr) && !meant(expr) {
			t.Errorf("%s makes its answer up", expr)
		}
	}
}

var grouping = regexp.MustCompile(`\b(?:by|on) \(([a-z_, ]+)\)`)

// Two clusters may have an office in namespaces of the same name.
func TestNoRuleMixesClustersOrNamespaces(t *testing.T) {
	rules, _ := mustLoad(t)
	for _, rule := range rules {
		for _, by := range grouping.FindAllStringSubmatch(rule.Expr, -1) {
			if !strings.HasPrefix(by[1]+",", "cluster, namespace,") {
				t.Errorf("%s groups by %s", rule.Name(), by[1])
			}
		}
	}
}

func allQueries(t *testing.T) []string {
	t.Helper()
	rules, boards := mustLoad(t)
	var all []string
	for _, rule := range rules {
		all = append(all, rule.Expr)
	}
	for _, board := range boards {
		for _, panel := range board.Panels {
			for _, target := range panel.Targets {
				if !strings.Contains(target.Expr, `cluster=~"$cluster", namespace=~"$namespace"`) {
					t.Errorf("%s: %q mixes installations or clusters", board.File, panel.Title)
				}
				all = append(all, target.Expr)
			}
		}
	}
	return all
}

var (
	ours   = regexp.MustCompile(`\b(?:baari|http_server)_[a-z0-9_]+`)
	series = regexp.MustCompile(`_(?:bucket|count|sum)$`)
	stored = regexp.MustCompile(`\bbaari:[a-z0-9_:]+`)
)

// A query of a metric that no program exports is always empty, and no one would notice.
func TestEachMetricOfAQueryIsDocumentedAndEachRecordedOneIsRecorded(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "services", "docs", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	documented := ours.FindAllString(string(text), -1)
	rules, _ := mustLoad(t)
	for _, expr := range allQueries(t) {
		for _, name := range ours.FindAllString(expr, -1) {
			if !slices.Contains(documented, name) && !slices.Contains(documented, series.ReplaceAllString(name, "")) {
				t.Errorf("services/docs/metrics.md does not know %s, of %s", name, expr)
			}
		}
		for _, name := range stored.FindAllString(expr, -1) {
			if !slices.ContainsFunc(rules, func(r Rule) bool { return r.Record == name }) {
				t.Errorf("nothing records %s, of %s", name, expr)
			}
		}
	}
}

func TestEachAlertHasItsRunbookAndEachRunbookItsAlert(t *testing.T) {
	rules, _ := mustLoad(t)
	const pages = "services/docs/runbooks/"
	alerts := map[string]bool{}
	for _, rule := range rules {
		if rule.Alert == "" {
			continue
		}
		alerts[rule.Alert] = true
		if rule.Annotations["runbook_url"] != pages+rule.Alert+".md" || rule.Annotations["summary"] == "" {
			t.Errorf("%s leads to %q", rule.Alert, rule.Annotations["runbook_url"])
		}
		if severity := rule.Labels["severity"]; severity != "critical" && severity != "warning" {
			t.Errorf("%s has the severity %q", rule.Alert, severity)
		}
	}
	files, err := filepath.Glob(filepath.Join(root, pages, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".md")
		if !alerts[name] {
			t.Errorf("no alert leads to %s", file)
		}
		delete(alerts, name)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, heading := range []string{"# " + name, "## What it means", "## What to look at", "## What to do"} {
			if !strings.Contains(string(text), heading+"\n") {
				t.Errorf("%s has no %q", file, heading)
			}
		}
	}
	for name := range alerts {
		t.Errorf("%s has no page", name)
	}
}

func TestAnAlertsInputsAreItsTermsWithoutTheirLimits(t *testing.T) {
	for expr, want := range map[string][]string{
		`max by (service) (age_seconds) > 26 * 3600`: {"max by (service) (age_seconds)"},
		`(a{slo="x"} > 14.4 * 0.005 and on (namespace, slo) b{slo="x"} > 14.4 * 0.005)` + "\n" +
			`or (c > 6 and on (namespace, slo) d > 6)`: {
			`a{slo="x"}`, `b{slo="x"}`, "c", "d",
		},
		`max(head offset 5m) - max(pos) > 0`: {"max(head offset 5s) - max(pos)"},
		`min(ok) == 0`:                       {"min(ok)"},
	} {
		got, err := Rule{Alert: "x", Expr: expr}.Inputs()
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q (%v)", expr, got, err)
		}
	}
	if _, err := (Rule{Alert: "x", Expr: "up"}).Inputs(); err == nil {
		t.Error("an alert without a limit is accepted")
	}
}

// The nightly part can only show alerts that a fault causes.
func TestEachAlertHasAFaultThatBringsItAboutAndAUnitTest(t *testing.T) {
	if err := (&Night{Root: root}).allKnown(); err != nil {
		t.Error(err)
	}
	if err := (&Night{Root: root, Only: []string{"BaariNothing"}}).allKnown(); err == nil {
		t.Error("an alert that does not exist can be asked for")
	}
	var tests strings.Builder
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	rules, _ := mustLoad(t)
	for _, rule := range rules {
		fires := regexp.MustCompile(`alertname: ` + rule.Alert + `\n\s+exp_alerts:(?: &[a-z0-9-]+)?\n\s+- exp_labels:`)
		if rule.Alert != "" && !fires.MatchString(tests.String()) {
			t.Errorf("no unit test has %s fire", rule.Alert)
		}
	}
}
