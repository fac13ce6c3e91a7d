package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"

	"baari.dev/tools/stack"
)

// allowed lists the licences that a dependency of the released programs may have. None requires us to publish our
// source.
var allowed = []string{
	"0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "CC0-1.0", "ISC", "MIT",
	"MPL-2.0", "OFL-1.1", "Unlicense", "Zlib",
}

// recognised is the minimum share of a file, in percent, that must match a known licence text.
const recognised = 75

// checkLicences returns an error that names every dependency of the programs or the web without an allowed licence.
func checkLicences(ctx context.Context, r *Runner) error {
	var errs []error
	count := 0
	for _, module := range []string{"services", "gateway"} {
		modules, err := r.shippedModules(ctx, module)
		if err != nil {
			return err
		}
		for path, folder := range modules {
			count++
			if err := checkFolder(folder); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", path, err))
			}
		}
	}
	lock, err := os.ReadFile(filepath.Join(r.root, "web", "package-lock.json"))
	if err != nil {
		return err
	}
	packages, rejected, err := checkLock(lock)
	if err != nil {
		return err
	}
	r.progress.Printf("licences: %d Go modules, %d npm packages", count, packages)
	return errors.Join(append(errs, rejected...)...)
}

// shippedModules returns the third-party modules that the programs of a module contain, with their folders.
func (r *Runner) shippedModules(ctx context.Context, module string) (map[string]string, error) {
	const pathAndFolder = "{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}"
	listed, err := stack.Output(r.command(ctx, module, "go", "list", "-deps", "-f", pathAndFolder, "./..."))
	if err != nil {
		return nil, fmt.Errorf("list the dependencies of %s: %w", module, err)
	}
	found := map[string]string{}
	for line := range strings.Lines(listed) {
		path, folder, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && !strings.HasPrefix(path, "baari.dev/") {
			found[path] = folder
		}
	}
	return found, nil
}

var (
	errNoLicence = errors.New("no known licence")
	errLicence   = errors.New("licence not allowed")
)

// checkFolder checks the licence files at the top of a module. One allowed licence is enough: several mean a
// choice.
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
		choices := strings.Split(strings.Trim(one.License, "()"), " OR ")
		if !slices.ContainsFunc(choices, func(id string) bool { return slices.Contains(allowed, id) }) {
			rejected = append(rejected, fmt.Errorf("%s: %w: %q", path, errLicence, one.License))
		}
	}
	return packages, rejected, nil
}
