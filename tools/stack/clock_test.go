package stack

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestSetClockChangesWallTimeAndNotDurations(t *testing.T) {
	dir := t.TempDir()
	replaced, err := wrongClock(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := WriteJSON(overlay, map[string]any{"Replace": replaced}); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "clock")
	if output, err := GoCommand(
		t.Context(), "", "build", "-overlay="+overlay, "-o", program, "./testdata/clock",
	).CombinedOutput(); err != nil {
		t.Fatal(err, string(output))
	}
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := &Stack{options: Options{Clocks: true}, folder: &Folder{path: dir}}
	if err := s.SetClock("visits", 0); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), clockVariable+"="+s.folder.clock("visits"))
	ask, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answer, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	began, lines := time.Now(), bufio.NewScanner(answer)
	for _, ahead := range []time.Duration{0, time.Hour, -time.Hour, 0} {
		if err := s.SetClock("visits", ahead); err != nil {
			t.Fatal(err)
		}
		var now, passed int64
		if _, err := fmt.Fprintln(ask); err != nil || !lines.Scan() {
			t.Fatal(err, lines.Err())
		}
		if _, err := fmt.Sscan(lines.Text(), &now, &passed); err != nil {
			t.Fatal(err)
		}
		if wrong := time.Unix(now, 0).Sub(time.Now().Add(ahead)).Abs(); wrong > 5*time.Second {
			t.Errorf("the clock with an offset of %s is off by %s", ahead, wrong)
		}
		if lasted := time.Duration(passed) * time.Millisecond; lasted < 0 || lasted > time.Since(began) {
			t.Errorf("the program measured %s, want %s", lasted, time.Since(began))
		}
	}
	if err := ask.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

func TestTheClockOfAnOrdinaryProgramCannotBeSet(t *testing.T) {
	if err := (&Stack{}).SetClock("visits", time.Hour); err == nil {
		t.Error("it was set")
	}
}
