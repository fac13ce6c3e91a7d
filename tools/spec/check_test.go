package spec

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// named builds an id from parts, so that this file itself does not refer to a statement.
func named(topic, number string) string { return "S" + "2." + topic + "." + number }

func items(t *testing.T, dir string, ids ...string) string {
	t.Helper()
	text := "id\tsection\tkind\tstatement\n"
	for _, id := range ids {
		text += id + "\t2\trule\tSomething holds.\n"
	}
	return write(t, dir, "items.tsv", text)
}

const root = "../.."

// Every statement of the specification has a test that names it, and no test names a statement that does not exist.
func TestEachStatementHasATest(t *testing.T) {
	var roots []string
	for _, dir := range []string{"services", "gateway", "web", "tools"} {
		roots = append(roots, filepath.Join(root, dir))
	}
	report, err := check(filepath.Join(root, "services", "docs", "spec-items.tsv"), roots...)
	if err != nil {
		t.Fatal(err)
	}
	for _, unknown := range report.Unknown {
		t.Errorf("a test names a statement that does not exist: %s", unknown)
	}
	for _, missing := range report.Missing {
		t.Errorf("no test names %s  %s", missing.ID, missing.Statement)
	}
	t.Logf("%d of %d statements referenced", report.Referenced, report.Items)
}

func TestCheckReportsMissingAndUnknownStatements(t *testing.T) {
	dir := t.TempDir()
	list := items(t, dir, named("login", "01"), named("login", "02"), named("login", "03"), named("login", "04"))
	write(t, dir, "src/a_test.go", "// proves "+named("login", "02-03")+"\n")
	write(t, dir, "src/b.test.tsx", "it('"+named("login", "09")+" is odd')\n")
	write(t, dir, "src/node_modules/c.test.ts", named("login", "01"))
	write(t, dir, "src/notes.txt", named("login", "01"))
	report, err := check(list, filepath.Join(dir, "src"))
	if err != nil {
		t.Fatal(err)
	}
	if report.Items != 4 || report.Referenced != 2 {
		t.Errorf("%d of %d referenced, want 2 of 4", report.Referenced, report.Items)
	}
	if len(report.Missing) != 2 || report.Missing[0].ID != named("login", "01") ||
		report.Missing[1].ID != named("login", "04") {
		t.Errorf("missing %v", report.Missing)
	}
	if len(report.Unknown) != 1 || !strings.HasSuffix(report.Unknown[0], "b.test.tsx:1)") {
		t.Errorf("unknown %v", report.Unknown)
	}
}

func TestReferencesInALine(t *testing.T) {
	for line, want := range map[string][]string{
		"x" + named("login", "01"):                        nil,
		named("login", "01") + "x":                        nil,
		named("login", "01") + "," + named("queue", "02"): {named("login", "01"), named("queue", "02")},
		"(" + named("login", "09-11") + ")": {
			named("login", "09"), named("login", "10"), named("login", "11"),
		},
		named("login", "07-03") + " runs backwards":              {named("login", "07-03")},
		"'" + named("login", "01") + ": the button is disabled'": {named("login", "01")},
	} {
		if got := references(line); !slices.Equal(got, want) {
			t.Errorf("%q names %v, want %v", line, got, want)
		}
	}
}

func TestAnInvalidListIsRejected(t *testing.T) {
	dir := t.TempDir()
	for name, list := range map[string]string{
		"head":  write(t, dir, "head.tsv", "id,statement\n"),
		"twice": items(t, dir, named("login", "01"), named("login", "01")),
	} {
		if _, err := check(list, dir); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
