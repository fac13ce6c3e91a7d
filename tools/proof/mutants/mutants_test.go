package mutants

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"baari.dev/tools/stack"
)

const root = "../../.."

func TestEveryPlantedBugAppliesAndCompiles(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 14 {
		t.Fatalf("%d bugs are planted", len(all))
	}
	repository, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	var builds []*planted
	for _, m := range all {
		replaced, err := m.Overlay(t.Context(), repository, t.TempDir())
		if err != nil {
			t.Error(err)
			continue
		}
		for _, service := range m.Services {
			if _, err := os.Stat(filepath.Join(repository, "services", service, "target.go")); err != nil {
				t.Errorf("%s is planted in %s: %v", m.Name, service, err)
			}
		}
		if m.Test != "" && !hasTest(t, filepath.Join(repository, "services", m.Package), m.Test) {
			t.Errorf("%s: there is no %s in %s", m.Name, m.Test, m.Package)
		}
		builds = place(builds, m, replaced)
	}
	for _, b := range builds {
		if err := b.compile(t, repository); err != nil {
			t.Errorf("%s: %v", strings.Join(b.names, ", "), err)
		}
	}
}

func hasTest(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), "\nfunc "+test+"(")
	})
}

// planted are mutants that change different files. They are compiled together, because one by one takes minutes.
type planted struct {
	names    []string
	replaced map[string]string
}

// place adds a mutant to the first build that changes none of the mutant's files.
func place(builds []*planted, m Mutant, replaced map[string]string) []*planted {
	at := slices.IndexFunc(builds, func(b *planted) bool {
		for path := range replaced {
			if _, changed := b.replaced[path]; changed {
				return false
			}
		}
		return true
	})
	if at < 0 {
		at = len(builds)
		builds = append(builds, &planted{replaced: map[string]string{}})
	}
	builds[at].names = append(builds[at].names, m.Name)
	maps.Copy(builds[at].replaced, replaced)
	return builds
}

// compile compiles the changed packages without optimisations, which takes a third of the time.
func (p *planted) compile(t *testing.T, repository string) error {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": p.replaced})
	if err != nil {
		return err
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return err
	}
	args := []string{"build", "-overlay=" + overlay, "-gcflags=-N -l", "-o", os.DevNull}
	for path := range p.replaced {
		if filepath.Ext(path) == ".go" {
			args = append(args, filepath.Dir(path))
		}
	}
	said, err := stack.GoCommand(t.Context(), filepath.Join(repository, "services"), args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

func TestAPatchThatDoesNotApplyIsAnError(t *testing.T) {
	repository, folder := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(repository, "a.go"), []byte("package a\n\nvar x = 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := parse(
		"M1-x.patch",
		[]byte("I1 | visits | slow | x\n--- a/a.go\n+++ b/a.go\n@@ -1,3 +1,3 @@\n package a\n \n-var x = 1\n+var x = 3\n"),
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Overlay(t.Context(), repository, folder); err == nil ||
		!strings.Contains(err.Error(), "does not apply") {
		t.Errorf("it applies: %v", err)
	}
}

func TestAPatchDoesNotChangeTheSourcesAndMayAddAFile(t *testing.T) {
	repository, folder := t.TempDir(), t.TempDir()
	original := filepath.Join(repository, "a.go")
	if err := os.WriteFile(
		original, []byte("// A comment\n// of two lines.\npackage a\n\nvar x = 1\n\nvar y = 1\n"), 0o600,
	); err != nil {
		t.Fatal(err)
	}
	m, err := parse("M1-x.patch", []byte("I1 | visits | slow | x\n"+
		"--- a/a.go\n+++ b/a.go\n@@ -2,5 +2,5 @@\n package a\n \n-var x = 1\n+var x = 3\n \n var y = 1\n"+
		"--- /dev/null\n+++ b/b.go\n@@ -0,0 +1 @@\n+package a\n"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // The second round writes over the files of the first.
		replaced, err := m.Overlay(t.Context(), repository, folder)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]string{original: "var x = 3", filepath.Join(repository, "b.go"): "package a"} {
			if text, err := os.ReadFile(replaced[path]); err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s is %q, %v", path, text, err)
			}
		}
	}
	if text, err := os.ReadFile(original); err != nil || !strings.Contains(string(text), "var x = 1") {
		t.Errorf("the source is %q, %v", text, err)
	}
}

func TestAnInvalidHeaderOrNameOrADuplicateIDIsAnError(t *testing.T) {
	good := "I1 | visits | slow | x\n"
	for name, folder := range map[string]fstest.MapFS{
		"no header":  {"M1-x.patch": {Data: []byte("--- a/a.go\n")}},
		"no promise": {"M1-x.patch": {Data: []byte("it | visits | slow | x\n")}},
		"no bug":     {"M1-x.patch": {Data: []byte("I1 | visits | slow | \n")}},
		"no number":  {"x.patch": {Data: []byte(good)}},
		"doubled":    {"M1-x.patch": {Data: []byte(good)}, "M1-y.patch": {Data: []byte(good)}},
	} {
		if _, err := readAll(folder); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if all, err := readAll(fstest.MapFS{
		"M10-x.patch": {Data: []byte(good)}, "M2-y.patch": {Data: []byte(good)},
	}); err != nil || len(all) != 2 || all[0].ID != "M2" {
		t.Errorf("%v, %v", all, err)
	}
}

// A bug counts as found only if an existing test passes without it and fails with it.
func TestAGoTestFindsABug(t *testing.T) {
	repository := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module services\n\ngo 1.25\n", "x/x.go": "package x\n\nvar a = 1\n\nvar b = 1\n",
		"x/x_test.go": `package x

import "testing"

func TestA(t *testing.T) {
	if a != 1 {
		t.Error("a is wrong")
	}
}

func TestWrong(t *testing.T) { t.Error("always") }
`,
	} {
		path := filepath.Join(repository, "services", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hunk := func(lines string) string { return "@@ -3,3 +3,3 @@\n" + strings.Replace(lines, ";", "\n \n", 1) + "\n" }
	a, b := hunk("-var a = 1\n+var a = 2; var b = 1"), hunk(" var a = 1;-var b = 1\n+var b = 2")
	for _, c := range []struct{ test, change, detail, err string }{
		{"TestA", a, "x_test.go:7: a is wrong", ""},
		{"TestA", b, "", ""},
		{"TestA", hunk("-var a = 1\n+var a = one; var b = 1"), "", "does not run with the bug"},
		{"TestWrong", a, "", "does not pass without the bug"},
		{"TestNone", a, "", "does not pass without the bug"},
	} {
		m, err := parse("M1-x.patch", []byte("I1 | visits | x."+c.test+" | x\n--- a/services/x/x.go\n+++ b/services/x/x.go\n"+
			c.change))
		if err != nil {
			t.Fatal(err)
		}
		detail, err := m.TryTest(t.Context(), repository, t.TempDir(), stack.Servers{})
		if detail != c.detail || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s with %s: %q, %v", c.test, c.change, detail, err)
		}
	}
}
