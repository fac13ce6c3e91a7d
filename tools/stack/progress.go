package stack

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// slow is the duration after which a step is printed.
const slow = time.Second

// Progress prints what the launcher is doing. A step that takes less than a second prints nothing.
type Progress struct {
	mu  sync.Mutex
	out io.Writer
}

// NewProgress returns a Progress that prints to out.
func NewProgress(out io.Writer) *Progress { return &Progress{out: out} }

// Printf writes one line.
func (p *Progress) Printf(format string, values ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = fmt.Fprintf(p.out, format+"\n", values...) // there is no way to report a failed write to the terminal
}

// Step runs a step and returns its error. If that takes over a second, it prints the name, and after success the time.
func (p *Progress) Step(name string, run func() error) error {
	begin := time.Now()
	announce := time.AfterFunc(slow, func() { p.Printf("%s ...", name) })
	err := run()
	if announce.Stop() {
		return err
	}
	if err == nil {
		p.Printf("%s: done in %s", name, time.Since(begin).Round(100*time.Millisecond))
	}
	return err
}
