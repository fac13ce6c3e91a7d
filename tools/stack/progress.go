package stack

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// slow is how long a step may take before it is worth a line.
const slow = time.Second

// Progress tells a person what the launcher is doing. A step that is done within a second prints nothing.
type Progress struct {
	mu  sync.Mutex
	out io.Writer
}

// NewProgress returns a Progress that writes plain lines to out.
func NewProgress(out io.Writer) *Progress { return &Progress{out: out} }

// Printf writes one line.
func (p *Progress) Printf(format string, values ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = fmt.Fprintf(p.out, format+"\n", values...) // nobody is left to tell when the terminal is gone
}

// Step runs one step and returns its error. Once the step has taken a second its name is printed, and at its end how long it took.
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
