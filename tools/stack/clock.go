package stack

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A Go program asks the kernel for the time, past every library that could be put in its way. A clock that can be wrong is therefore compiled in:
// the package time of Go itself is replaced, for these builds only, by one that adds what stands in a file that it shares.

// clockVariable names the file that says by how many seconds a program's clock is ahead.
const clockVariable = "BAARI_CLOCK"

//go:embed clock_time.go.txt
var clockSource []byte

// trueNow is the beginning of time.Now as Go has it, and skewedNow what stands there instead.
var (
	trueNow   = []byte("func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n")
	skewedNow = append(bytes.Clone(trueNow), "\tsec += ahead()\n"...)
)

// wrongClock writes, into a folder, what the go command needs to replace the package time, and returns the option that names it.
func wrongClock(ctx context.Context, folder string) (string, error) {
	said, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("where Go is: %w", err)
	}
	library := filepath.Join(string(bytes.TrimSpace(said)), "src", "time")
	source, err := os.ReadFile(filepath.Join(library, "time.go"))
	if err != nil {
		return "", fmt.Errorf("the clock of Go: %w", err)
	}
	if bytes.Count(source, trueNow) != 1 {
		return "", errors.New("the clock of this Go does not begin as the one we know: see tools/stack/clock.go")
	}
	now, ahead, list := filepath.Join(folder, "time_now.go"), filepath.Join(folder, "time_ahead.go"), filepath.Join(folder, "overlay.json")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(library, "time.go"): now, filepath.Join(library, "ahead.go"): ahead,
	}})
	if err != nil {
		return "", err
	}
	for path, text := range map[string][]byte{now: bytes.Replace(source, trueNow, skewedNow, 1), ahead: clockSource, list: overlay} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return "", fmt.Errorf("a clock that can be wrong: %w", err)
		}
	}
	return "-overlay=" + list, nil
}

// SetClock puts the wall clock of a program ahead, or behind when negative, in whole seconds and at once. The stack must run with Options.Clocks.
func (s *Stack) SetClock(name string, ahead time.Duration) error {
	if !s.options.Clocks {
		return errors.New("these programs have the clock of the machine")
	}
	file, err := os.OpenFile(s.folder.clock(name), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the clock of %s: %w", name, err)
	}
	_, err = file.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(int64(ahead/time.Second))), 0)
	return errors.Join(err, file.Close())
}
