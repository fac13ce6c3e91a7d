package testkit

import (
	"encoding/gob"
	"errors"
	"os"
	"os/exec"
	"testing"
)

// childVariable is the environment variable that is set in the process of a Child.
const childVariable = "TESTKIT_CHILD"

// Child is this test program in a second process. The clients of a benchmark run in it, so that they share neither
// memory nor scheduler with the measured code.
type Child struct {
	ask     *gob.Encoder
	answers *gob.Decoder
}

type reply[A any] struct {
	Answer A
	Err    string
}

// IsChild reports whether this process is a Child.
func IsChild() bool { return os.Getenv(childVariable) != "" }

// AsChild answers the first process until that process ends, and never returns. TestMain calls it if IsChild is true.
func AsChild[Q, A any](answer func(Q) (A, error)) {
	questions, answers := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	for {
		var question Q
		if questions.Decode(&question) != nil { // the first process has ended
			os.Exit(0)
		}
		var out reply[A]
		var err error
		if out.Answer, err = answer(question); err != nil {
			out.Err = err.Error()
		}
		if err := answers.Encode(out); err != nil {
			panic(err)
		}
	}
}

// StartChild starts the second process, which ends with the test.
func StartChild(t testing.TB) *Child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), childVariable+"=1"), os.Stderr
	ask, err := cmd.StdinPipe()
	answers, errOut := cmd.StdoutPipe()
	if err := errors.Join(err, errOut); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = ask.Close(), cmd.Wait() })
	return &Child{gob.NewEncoder(ask), gob.NewDecoder(answers)}
}

// Ask returns the child's answer to a question. The types Q and A must be those with which the child calls AsChild.
func Ask[A, Q any](t testing.TB, c *Child, question Q) A {
	t.Helper()
	var in reply[A]
	err := errors.Join(c.ask.Encode(question), c.answers.Decode(&in))
	if err == nil && in.Err != "" {
		err = errors.New(in.Err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in.Answer
}
