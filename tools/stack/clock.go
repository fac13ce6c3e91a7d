package stack

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// A Go program reads the time by a system call or the vDSO, so a preloaded library cannot change it. For a program with
// a settable clock, the launcher builds Go's package time with a replaced source file, which adds an offset from a file
// mapped into memory.

// clockVariable names the variable with the path of the file that has the offset of a program's clock, in seconds.
const clockVariable = "BAARI_CLOCK"

//go:embed clock_time.go.txt
var clockSource []byte

// trueNow is the beginning of time.Now in Go's source, and skewedNow its replacement.
var (
	trueNow   = []byte("func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n")
	skewedNow = append(bytes.Clone(trueNow), "\tsec += ahead()\n"...)
)

// wrongClock writes the changed sources of package time into a folder. It returns their paths, keyed by the paths of
// the files that they replace.
func wrongClock(ctx context.Context, folder string) (map[string]string, error) {
	said, err := GoCommand(ctx, "", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find GOROOT: %w", err)
	}
	library := filepath.Join(string(bytes.TrimSpace(said)), "src", "time")
	source, err := os.ReadFile(filepath.Join(library, "time.go"))
	if err != nil {
		return nil, fmt.Errorf("read Go's package time: %w", err)
	}
	if bytes.Count(source, trueNow) != 1 {
		return nil, errors.New("time.Now of this Go version has another source than expected: see tools/stack/clock.go")
	}
	now, ahead := filepath.Join(folder, "time_now.go"), filepath.Join(folder, "time_ahead.go")
	for path, text := range map[string][]byte{now: bytes.Replace(source, trueNow, skewedNow, 1), ahead: clockSource} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return nil, fmt.Errorf("replace package time: %w", err)
		}
	}
	return map[string]string{filepath.Join(library, "time.go"): now, filepath.Join(library, "ahead.go"): ahead}, nil
}

// SetClock sets the clock of the named program ahead by an offset in whole seconds; a negative offset makes the clock
// slow. It returns an error unless the stack was started with Options.Clocks.
func (s *Stack) SetClock(name string, ahead time.Duration) error {
	if !s.options.Clocks {
		return errors.New("these programs were built without a settable clock")
	}
	file, err := os.OpenFile(s.folder.clock(name), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("the clock of %s: %w", name, err)
	}
	_, err = file.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(int64(ahead/time.Second))), 0)
	return errors.Join(err, file.Close())
}
