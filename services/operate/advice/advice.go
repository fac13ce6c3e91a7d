// Package advice has the errors that the operator can fix. It imports nothing of the product, so that small programs
// can use it.
package advice

import (
	"errors"
	"fmt"
)

// Advice is an error that the operator can fix: one sentence that says what to do. Commands print it without the chain
// of causes.
type Advice string

// Error returns the sentence.
func (a Advice) Error() string { return string(a) }

// Errorf returns Advice.
func Errorf(format string, values ...any) error { return Advice(fmt.Sprintf(format, values...)) }

// Message returns the Advice in an error's chain, otherwise the program's name followed by the error with its causes.
func Message(program string, err error) string {
	var found Advice
	if errors.As(err, &found) {
		return found.Error()
	}
	return program + ": " + err.Error()
}
