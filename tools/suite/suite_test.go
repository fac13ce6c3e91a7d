package suite

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"baari.dev/tools/stack"
)

func TestPartsRunInOrderExceptThoseLeftOut(t *testing.T) {
	chosen, err := Choose(allParts, []string{"browser", "web", "go"}, []string{"web"})
	if err != nil {
		t.Fatal(err)
	}
	if got := Names(chosen); !slices.Equal(got, []string{"go", "browser"}) {
		t.Errorf("chosen: %v", got)
	}
	if all, _ := Choose(allParts, nil, nil); len(all) != len(allParts) {
		t.Errorf("without a choice %d of %d parts run", len(all), len(allParts))
	}
}

func TestAnUnknownPartIsRejected(t *testing.T) {
	for _, choice := range [][2][]string{{{"webb"}, nil}, {nil, {"webb"}}, {{"web"}, {"web"}}} {
		_, err := Choose(fastParts, choice[0], choice[1])
		var advice stack.Advice
		if !errors.As(err, &advice) {
			t.Errorf("%v: %v", choice, err)
		}
	}
}

func TestTheLastLineCountsPartsAndNamesThoseLeftOut(t *testing.T) {
	results := []Result{{"go", nil, time.Second, 2 * time.Second}, {"web", errors.New("lint"), time.Minute, time.Minute}}
	var out strings.Builder
	if err := report(&out, results, []string{"browser"}, nil); !errors.Is(err, ErrFailed) {
		t.Errorf("a failed part gives %v", err)
	}
	if !strings.Contains(out.String(), "\ngo    passed  1s        2s\n") ||
		!strings.HasSuffix(out.String(), "\n1 passed, 1 failed, left out: browser\n") {
		t.Errorf("printed %q", out.String())
	}
	out.Reset()
	if err := report(&out, results[:1], nil, nil); err != nil ||
		!strings.HasSuffix(out.String(), "\n1 passed, 0 failed\n") {
		t.Errorf("%v, printed %q", err, out.String())
	}
	if err := report(&out, results[:1], nil, context.Canceled); err == nil {
		t.Error("an interrupted run passes")
	}
}

func TestTheLastLinesOfAFailedPartArePrintedAgain(t *testing.T) {
	log := filepath.Join(t.TempDir(), "chaos.log")
	end := strings.Repeat("line\n", 119) + "violated: I8\n"
	text := "begun\n" + end + "ok  \tbaari.dev/one\t3s\n✔ a user signs up (2ms)\n  ✓  1 a day (1s)\n"
	if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	printEnd(&out, "chaos", log)
	if got := out.String(); !strings.HasSuffix(got, ":\n"+end) {
		t.Errorf("printed %q", got)
	}
}

func TestAPartWithoutItsToolFails(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r := newRunner(context.Background(), t.TempDir(), &strings.Builder{}, t.TempDir())
	var advice stack.Advice
	if err := r.ensure(context.Background(), chromium); !errors.As(err, &advice) ||
		!strings.Contains(err.Error(), "apt-get install chromium-headless-shell") {
		t.Errorf("no Chromium gives %v", err)
	}
	if err := webPart(context.Background(), r); !errors.As(err, &advice) {
		t.Errorf("no Node gives %v", err)
	}
}

// The servers that the shell's variables name may have stopped, so a part that needs servers starts its own.
func TestAPartDoesNotUseTheServersOfTheShell(t *testing.T) {
	t.Setenv(databaseVariable, "postgres://me@127.0.0.1:9/postgres")
	t.Setenv(redisVariable, "redis://127.0.0.1:9")
	var out strings.Builder
	part := Part{"shell", "shows its environment", func(ctx context.Context, r *Runner) error {
		return r.Run(r.Command(ctx, "", "env"))
	}}
	err := RunParts(t.Context(), t.TempDir(), &out, []Part{part}, nil)
	if err != nil || !strings.Contains(out.String(), "\nPATH=") || strings.Contains(out.String(), "\nTEST_") {
		t.Errorf("%v, printed %q", err, out.String())
	}
}

func TestErrorOfAFailedCommandContainsIt(t *testing.T) {
	var out strings.Builder
	r := newRunner(context.Background(), t.TempDir(), &out, "")
	err := r.Run(exec.Command("sh", "-c", "echo said; exit 3"))
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || out.String() != "said\n" {
		t.Errorf("%v after printing %q", err, out.String())
	}
}

// If a program is pinned to a new version, the program of the older version in the cache must not be used.
func TestEachVersionOfABuiltProgramHasItsOwnCacheFile(t *testing.T) {
	older, newer := cachedProgram(
		"/cache", "k6", "go.k6.io/k6@v1.8.0",
	), cachedProgram("/cache", "k6", k6Module)
	if older == newer || newer != "/cache/k6-v1.8.1" {
		t.Errorf("%s and %s", older, newer)
	}
}
