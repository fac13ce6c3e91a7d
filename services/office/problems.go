package office

import (
	"slices"
	"strings"
)

// Code says what kind of problem a key has. The codes are those of invalid fields of the API.
type Code string

// The codes of problems.
const (
	Required      Code = "required"
	TooLong       Code = "too_long"
	TooMany       Code = "too_many"
	UnknownChoice Code = "unknown_choice"
	InvalidNumber Code = "invalid_number"
	InvalidValue  Code = "invalid_value"
	IllegalText   Code = "illegal_characters"
	NewVersion    Code = "new_version" // the version of a changed notice
)

// Problem is a key of a document that is invalid. Key is a JSON pointer, and What continues "key /brand ". Max is the
// largest length or number of entries for TooLong and TooMany.
type Problem struct {
	Key, What string
	Code      Code
	Max       int
}

// Problems are the invalid keys of a document.
type Problems []Problem

// Error has a line for each problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = "key " + problem.Key + " " + problem.What
	}
	return strings.Join(lines, "\n")
}

// err returns the problems as an error, nil if there are none.
func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// when adds a problem with the code InvalidValue if bad is true.
func (p *Problems) when(bad bool, key, what string) {
	if bad {
		*p = append(*p, Problem{Key: key, What: what, Code: InvalidValue})
	}
}

// duplicates adds a problem for each value that occurs before; key returns the pointer of an index.
func (p *Problems) duplicates(values []string, key func(i int) string) {
	for i, value := range values {
		p.when(slices.Contains(values[:i], value), key(i), "is there twice")
	}
}
