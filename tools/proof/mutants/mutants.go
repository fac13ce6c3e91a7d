// Package mutants holds bugs that are planted in the product to show that the checker or a Go test finds them. Each is
// a patch next to this file, Mnn-name.patch, that takes effect in programs built with `go build -overlay`, or in a
// test run with `go test -overlay`; the shipped sources contain none of it.
//
// The first line of a patch is its header, four fields separated by " | ":
//
//	I8 | visits | slow | the relay reads rows by a naive cursor
//	I6 | visits | visits/visit.TestEveryActionRejectsAnOlderVersion | a call ignores its version
//
// The fields are the invariant that the bug violates (an id of package checker, or "any"), the services that contain it
// (separated by commas), what finds it, and a description in one sentence. What finds it is the phase of `baari chaos
// mutants` that exposes it to the checker, or a Go test: its package, relative to services, and its name. To plant
// another bug, add a file and run `go run ./tools/baari chaos mutants Mnn`.
//
// Start reading at All, then Overlay and, for tests, TryTest.
package mutants

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed *.patch
var patches embed.FS

// Any as the promise of a mutant means that a violation of any invariant counts as detection.
const Any = "any"

// Mutant is one planted bug.
type Mutant struct {
	ID       string // id, such as M7
	Name     string // the file name without extension, such as M7-no-head
	Promise  string // the invariant that it violates: an id of package checker, or Any
	Services []string
	Phase    string // the phase that exposes it to the checker, "" if a Go test finds it
	Package  string // package of the Go test, such as visits/visit
	Test     string
	Bug      string // one sentence

	patch []byte // a unified diff with paths from the root of the repository
}

var (
	fileName = regexp.MustCompile(`^(M[0-9]+)-[a-z0-9-]+\.patch$`)
	promise  = regexp.MustCompile(`^(I[0-9]+|` + Any + `)$`)
	goTest   = regexp.MustCompile(`^([a-z/]+)\.(Test\w+)$`)
	changed  = regexp.MustCompile(`(?m)^(?:--- a/|\+\+\+ b/)(\S+)$`)
)

// All returns the planted bugs in the order of their numbers. It returns an error if the name or the header of a
// file does not have the form that the package comment describes, or if two files have the same id.
func All() ([]Mutant, error) { return readAll(patches) }

func readAll(folder fs.FS) ([]Mutant, error) {
	files, err := fs.Glob(folder, "*.patch")
	if err != nil {
		return nil, err
	}
	var all []Mutant
	var errs []error
	for _, name := range files {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		m, err := parse(name, text)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Mutant) int { return cmp.Compare(a.number(), b.number()) })
	for i := range len(all) - 1 {
		if all[i].ID == all[i+1].ID {
			errs = append(errs, fmt.Errorf("%s and %s have one id", all[i].Name, all[i+1].Name))
		}
	}
	return all, errors.Join(errs...)
}

func parse(name string, text []byte) (Mutant, error) {
	parts := fileName.FindStringSubmatch(name)
	if parts == nil {
		return Mutant{}, errors.New("the file name is not Mnn-name.patch")
	}
	header, patch, _ := bytes.Cut(text, []byte("\n"))
	fields := strings.Split(string(header), " | ")
	if len(fields) != 4 || !promise.MatchString(fields[0]) || fields[3] == "" {
		return Mutant{}, errors.New(`the first line is not "promise | services | phase or test | bug"`)
	}
	m := Mutant{
		ID: parts[1], Name: strings.TrimSuffix(name, ".patch"), Promise: fields[0], Services: strings.Split(fields[1], ","),
		Phase: fields[2], Bug: fields[3], patch: patch,
	}
	if test := goTest.FindStringSubmatch(m.Phase); test != nil {
		m.Phase, m.Package, m.Test = "", test[1], test[2]
	}
	return m, nil
}

func (m Mutant) number() int {
	number, _ := strconv.Atoi(strings.TrimPrefix(m.ID, "M")) // cannot fail, because the name matched the pattern
	return number
}

// Overlay writes patched versions of the sources under root into folder. It returns the overlay for `go build
// -overlay`: the path of each changed or added source, with the path of its replacement. It returns an error if the
// patch does not apply. The lines around a change may be at another place in the file, but must exist.
func (m Mutant) Overlay(ctx context.Context, root, folder string) (map[string]string, error) {
	replaced := map[string]string{}
	for _, match := range changed.FindAllSubmatch(m.patch, -1) {
		path := filepath.FromSlash(string(match[1]))
		if !filepath.IsLocal(path) {
			return nil, fmt.Errorf("%s: %s is outside the repository", m.Name, path)
		}
		replaced[filepath.Join(root, path)] = filepath.Join(folder, path)
	}
	if len(replaced) == 0 {
		return nil, fmt.Errorf("%s changes no file", m.Name)
	}
	for original, copied := range replaced {
		if err := copyFile(original, copied); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	apply := exec.CommandContext(ctx, "git", "apply", "--whitespace=nowarn", "-")
	apply.Dir, apply.Stdin = folder, bytes.NewReader(m.patch)
	// Otherwise git would apply the patch in the repository that contains the folder.
	apply.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(folder))
	if said, err := apply.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s does not apply: %w: %s", m.Name, err, bytes.TrimSpace(said))
	}
	return replaced, nil
}

// copyFile copies a file. If there is no original, because a patch adds the file, it removes an old copy.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return os.MkdirAll(filepath.Dir(to), 0o700)
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600) //nolint:gosec // the path is a local one
}
