// Package licences has the test of the licences of what is shipped, for a release.
package licences

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"

	"baari.dev/tools/stack"
)

// allowed lists the licences that a shipped dependency may have. None requires us to publish our source.
var allowed = []string{
	"0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "CC0-1.0", "ISC", "MIT",
	"MPL-2.0", "OFL-1.1", "Unlicense", "Zlib",
}

// recognised is the minimum share of a file, in percent, that must match a known licence text.
const recognised = 75

// TestEveryShippedDependencyHasAnAllowedLicence reports each dependency without an allowed licence, of the programs and
// of the web. It runs before a release: the tests of a merge may have no network, and this test may download modules.
func TestEveryShippedDependencyHasAnAllowedLicence(t *testing.T) {
	if testing.Short() {
		t.Skip("part supply of a release")
	}
	count := 0
	for _, module := range []string{"services", "gateway"} {
		for path, folder := range shippedModules(t, filepath.Join(root, module)) {
			count++
			if err := checkFolder(folder); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	lock, err := os.ReadFile(filepath.Join(root, "web", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	packages, rejected, err := checkLock(lock)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range rejected {
		t.Error(err)
	}
	t.Logf("%d Go modules, %d npm packages", count, packages)
}

const root = "../.."

// shippedModules returns the third-party modules that the programs of a module contain, with their folders.
func shippedModules(t *testing.T, module string) map[string]string {
	t.Helper()
	const pathAndFolder = "{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}"
	listed, err := stack.Output(stack.GoCommand(t.Context(), module, "list", "-deps", "-f", pathAndFolder, "./..."))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for line := range strings.Lines(listed) {
		path, folder, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && !strings.HasPrefix(path, "baari.dev/") {
			found[path] = folder
		}
	}
	return found
}

var (
	errNoLicence = errors.New("no known licence")
	errLicence   = errors.New("licence not allowed")
)

// checkFolder checks the licence files at the top of a module. One allowed licence is enough.
func checkFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var found []string
	for _, entry := range entries {
		name := strings.ToUpper(entry.Name())
		if entry.IsDir() || !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") &&
			!strings.HasPrefix(name, "UNLICENSE") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		coverage := licensecheck.Scan(text)
		for _, match := range coverage.Match {
			if coverage.Percent >= recognised {
				found = append(found, match.ID)
			}
		}
	}
	switch {
	case len(found) == 0:
		return errNoLicence
	case !slices.ContainsFunc(found, func(id string) bool { return slices.Contains(allowed, id) }):
		return fmt.Errorf("%w: %s", errLicence, strings.Join(found, ", "))
	}
	return nil
}

// checkLock checks the packages of a package-lock.json that can reach a browser. It returns their number and an
// error for each package without an allowed licence.
func checkLock(text []byte) (packages int, rejected []error, err error) {
	var lock struct {
		Packages map[string]struct {
			License string
			Dev     bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return 0, nil, fmt.Errorf("read package-lock.json: %w", err)
	}
	for path, one := range lock.Packages {
		if path == "" || one.Dev {
			continue
		}
		packages++
		if !allowedExpression(one.License) {
			rejected = append(rejected, fmt.Errorf("%s: %w: %q", path, errLicence, one.License))
		}
	}
	return packages, rejected, nil
}

// allowedExpression reports whether an SPDX expression has a choice (OR) with allowed licences only (AND). Expressions
// with inner parentheses are not read, so they are rejected.
func allowedExpression(expression string) bool {
	if inner, found := strings.CutPrefix(expression, "("); found {
		expression = strings.TrimSuffix(inner, ")")
	}
	choices := strings.Split(expression, " OR ")
	return !strings.ContainsAny(expression, "()") && slices.ContainsFunc(choices, func(choice string) bool {
		return !slices.ContainsFunc(strings.Split(choice, " AND "), func(id string) bool {
			return !slices.Contains(allowed, id)
		})
	})
}

// T28: a licence that requires publication of our source, and a missing licence, are rejected.
func TestALicenceThatIsNotAllowedIsRejected(t *testing.T) {
	for text, want := range map[string]error{
		"https://www.opensource.org/licenses/mit": nil, "https://www.apache.org/licenses/LICENSE-2.0": nil,
		"https://www.opensource.org/licenses/agpl-3.0": errLicence,
		"All rights reserved.":                         errNoLicence, "": errNoLicence,
	} {
		folder := t.TempDir()
		if text != "" {
			if err := os.WriteFile(filepath.Join(folder, "LICENSE"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := checkFolder(folder); !errors.Is(err, want) || (want == nil) != (err == nil) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

func TestAPackageWithoutAnAllowedLicenceIsRejected(t *testing.T) {
	count, rejected, err := checkLock([]byte(`{"packages":{"":{"license":"UNLICENSED"},
		"node_modules/a":{"license":"MIT"},"node_modules/b":{"license":"(GPL-2.0 OR MIT)"},
		"node_modules/c":{"license":"AGPL-3.0"},"node_modules/d":{},"node_modules/e":{"license":"GPL-3.0","dev":true},
		"node_modules/f":{"license":"MIT AND ISC"},"node_modules/d2":{"license":"MIT AND AGPL-3.0"},
		"node_modules/d3":{"license":"(MIT OR GPL-2.0) AND AGPL-3.0"},
		"node_modules/d4":{"license":"AGPL-3.0 AND (GPL-2.0 OR MIT)"}}}`))
	if err != nil || count != 8 || len(rejected) != 5 {
		t.Errorf("%d packages, rejected %v, %v", count, rejected, err)
	}
	for _, one := range rejected {
		if !strings.Contains(one.Error(), "modules/c") && !strings.Contains(one.Error(), "modules/d") {
			t.Errorf("rejected %v", one)
		}
	}
}
