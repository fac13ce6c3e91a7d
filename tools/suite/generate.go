package suite

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// generated matches the committed types of the web, which follow from the services' API documents.
const generated = "web/src/api/*.d.ts"

// Generate writes the generated sections and files: those that follow from the registry of services, and the web's
// types, which follow from the services' API documents.
func Generate(ctx context.Context, root string, out io.Writer) error {
	if err := GenerateSections(root); err != nil {
		return err
	}
	r := newRunner(ctx, root, out, "")
	defer r.close()
	return r.generate(ctx)
}

// generate runs the generator of the web's types. arguments may name another output folder.
func (r *Runner) generate(ctx context.Context, arguments ...string) error {
	node, err := r.node()
	if err != nil {
		return err
	}
	return r.Run(node.Npm(
		ctx, filepath.Join(r.Root, "web"), append([]string{"run", "--silent", "generate", "--"}, arguments...)...,
	))
}

// checkGenerated returns an error that names the generated files that are not up to date. It generates into a temporary
// folder, because other parts read the committed files at the same time.
func checkGenerated(ctx context.Context, r *Runner) error {
	if err := CheckSections(r.Root); err != nil {
		return err
	}
	folder := filepath.Join(r.Scratch, "generated")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if err := r.generate(ctx, folder); err != nil {
		return err
	}
	committed, err := filepath.Glob(filepath.Join(r.Root, generated))
	if err != nil {
		return err
	}
	made, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, path := range slices.Concat(committed, made) {
		names[filepath.Base(path)] = true
	}
	var stale []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, errBefore := os.ReadFile(filepath.Join(r.Root, filepath.Dir(generated), name))
		after, errAfter := os.ReadFile(filepath.Join(folder, name))
		if errBefore != nil || errAfter != nil || !bytes.Equal(before, after) {
			stale = append(stale, filepath.Join(filepath.Dir(generated), name))
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("out of date: %s; run `go run ./tools/baari generate`", strings.Join(stale, ", "))
	}
	r.Progress.Printf("%d generated files are up to date", len(names))
	return nil
}

// GenerateChart writes the examples and the README of the chart. It runs the test that compares them, with -update.
func GenerateChart(ctx context.Context, root string, out io.Writer) error {
	return WithRunner(ctx, root, out, func(r *Runner) error {
		return r.Run(r.Command(ctx, "tools", "go", plainTest("./chart", "-run=^TestTheChart$", "-update")...))
	})
}
