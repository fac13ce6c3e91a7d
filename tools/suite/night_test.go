package suite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"baari.dev/tools/stack"
)

func TestTheLogsOfAFailedExperimentAreKeptUntilTheNext(t *testing.T) {
	var out bytes.Buffer
	r := &Runner{Root: t.TempDir(), Scratch: t.TempDir(), Progress: stack.NewProgress(&out)}
	kept := filepath.Join(r.Root, ".baari", "test", "trial-logs")
	write := func(name string) error {
		file := filepath.Join(r.Scratch, "trial", name)
		return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(name), 0o600))
	}
	broken := errors.New("an invariant is violated")
	for _, c := range []struct {
		log  string
		err  error
		kept []string
	}{
		{"visits.log.1", broken, []string{"history.jsonl", "visits.log", "visits.log.1"}},
		{"audit.log", broken, []string{"audit.log", "history.jsonl", "visits.log"}},
		{"auth.log", nil, nil},
	} {
		err := r.keeping("trial", func() error {
			if err := os.RemoveAll(filepath.Join(r.Scratch, "trial")); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"logs/visits.log", "logs/" + c.log, "history.jsonl", "postgres/large"} {
				if err := write(name); err != nil {
					t.Fatal(err)
				}
			}
			return c.err
		})
		var names []string
		entries, _ := os.ReadDir(kept)
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		if !errors.Is(err, c.err) || !slices.Equal(names, c.kept) {
			t.Errorf("kept %v, %v", names, err)
		}
	}
	if !bytes.Contains(out.Bytes(), []byte(kept)) {
		t.Errorf("the output does not name the folder: %s", out.String())
	}
}
