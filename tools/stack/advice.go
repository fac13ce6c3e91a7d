package stack

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// Advice is an error that a person can act on: one sentence saying what to do.
// Commands print it as it is, without the chain of causes.
type Advice string

// Error returns the sentence.
func (a Advice) Error() string { return string(a) }

func advise(format string, values ...any) error {
	return Advice(fmt.Sprintf(format, values...))
}

// explain turns an error whose cause a person can mend into Advice and returns every other error unchanged.
func explain(err error, data string) error {
	var advice Advice
	switch {
	case err == nil, errors.As(err, &advice):
		return err
	case isDiskFull(err):
		return advise("The disk is full: free some space for %s and run the command again.", data)
	case errors.Is(err, os.ErrPermission):
		return advise("%s may not be written by this user (%v): choose another folder with --data.", data, err)
	}
	return err
}

func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		strings.Contains(strings.ToLower(err.Error()), "no space left on device")
}
