package stack

import (
	"errors"
	"os"
	"strings"
	"syscall"

	"baari.dev/services/operate/advice"
)

// Advice is an error with a sentence on how the user can fix the cause. Commands print only the sentence.
type Advice = advice.Advice

func advise(format string, values ...any) error { return advice.Errorf(format, values...) }

// orAdvice returns nil and Advice unchanged. Any other error becomes the end of a new Advice.
func orAdvice(err error, format string, values ...any) error {
	var said Advice
	if err == nil || errors.As(err, &said) {
		return err
	}
	return advise(format+" (%v)", append(values, err)...)
}

// explain returns Advice for an error whose cause the user can fix, and every other error unchanged.
func explain(err error, data string) error {
	var said Advice
	switch {
	case err == nil, errors.As(err, &said):
		return err
	case isDiskFull(err):
		return advise("The disk is full: free some space for %s and run the command again.", data)
	case errors.Is(err, os.ErrPermission):
		return advise("%s is not writable by this user (%v): choose another folder with --data.", data, err)
	}
	return err
}

func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		strings.Contains(strings.ToLower(err.Error()), "no space left on device")
}
