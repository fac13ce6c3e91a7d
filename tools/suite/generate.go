package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// generated are the committed files that a command makes from others.
const generated = "web/src/api/*.d.ts"

// Generate makes the generated files again: the web's types, from the contract of each service.
func Generate(ctx context.Context, root string, out io.Writer) error {
	r := newRunner(ctx, root, out, "")
	defer r.close()
	return r.generate(ctx)
}

func (r *Runner) generate(ctx context.Context) error {
	node, err := r.node()
	if err != nil {
		return err
	}
	return r.run(node.Npm(ctx, filepath.Join(r.root, "web"), "run", "--silent", "generate"))
}

// checkGenerated makes the generated files again, names those that differ, and leaves the files as they were.
func checkGenerated(ctx context.Context, r *Runner) (err error) {
	before, err := r.readGenerated()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.restore(before)) }()
	if err := r.generate(ctx); err != nil {
		return err
	}
	after, err := r.readGenerated()
	if err != nil {
		return err
	}
	var stale []string
	for path, text := range after {
		if !bytes.Equal(text, before[path]) {
			stale = append(stale, path)
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("not what its source makes: %s; run `go run ./tools/baari generate`", strings.Join(stale, ", "))
	}
	r.progress.Printf("%d generated files are what their sources make", len(after))
	return nil
}

func (r *Runner) readGenerated() (map[string][]byte, error) {
	paths, err := filepath.Glob(filepath.Join(r.root, generated))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[path], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (r *Runner) restore(files map[string][]byte) error {
	var errs []error
	for path, text := range files {
		errs = append(errs, os.WriteFile(path, text, 0o644)) //nolint:gosec // committed files are for everybody
	}
	return errors.Join(errs...)
}
