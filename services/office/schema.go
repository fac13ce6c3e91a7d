package office

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Schema is the JSON Schema of the document. The chart's schema, the types of the API and the texts of the settings are
// generated from it (tools/suite).
//
//go:embed office.schema.json
var Schema []byte

const schemaURL = "https://baari.dev/office.schema.json"

var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	var document any
	if err := json.Unmarshal(Schema, &document); err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(schemaURL, document); err != nil {
		return nil, err
	}
	return compiler.Compile(schemaURL)
})

// checkSchema returns the problems of a decoded document by Schema, ordered by key.
func checkSchema(document any) error {
	schema, err := compiledSchema()
	if err != nil {
		return err
	}
	err = schema.Validate(document)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	var problems Problems
	for _, leaf := range leaves(invalid) {
		problems = append(problems, problemsOf(leaf)...)
	}
	slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.Key, b.Key) })
	return problems.err()
}

// leaves returns the errors that have no causes.
func leaves(err *jsonschema.ValidationError) (all []*jsonschema.ValidationError) {
	if len(err.Causes) == 0 {
		return []*jsonschema.ValidationError{err}
	}
	for _, cause := range err.Causes {
		all = append(all, leaves(cause)...)
	}
	return all
}

// problemsOf describes an error of the schema: one problem for each missing or unknown key, else one.
func problemsOf(err *jsonschema.ValidationError) Problems {
	var at jsontext.Pointer
	for _, name := range err.InstanceLocation {
		at = at.AppendToken(name)
	}
	below := func(code Code, what string, names ...string) (problems Problems) {
		for _, name := range names {
			problems = append(problems, Problem{Key: string(at.AppendToken(name)), What: what, Code: code})
		}
		return problems
	}
	problem := Problem{Key: string(at), Code: InvalidValue}
	switch k := err.ErrorKind.(type) {
	case *kind.Required:
		return below(Required, "is missing", k.Missing...)
	case *kind.AdditionalProperties:
		return below(InvalidValue, "is unknown", k.Properties...)
	case *kind.UniqueItems:
		return below(InvalidValue, "is there twice", strconv.Itoa(k.Duplicates[1]))
	case *kind.Type:
		problem.What = "is " + k.Got + ", not " + strings.Join(k.Want, " or ")
	case *kind.Enum:
		choices := make([]string, len(k.Want))
		for i, choice := range k.Want {
			choices[i] = fmt.Sprint(choice)
		}
		problem.Code, problem.What = UnknownChoice, "may be "+strings.Join(choices, ", ")
	case *kind.Pattern:
		problem.What = "does not match " + k.Want
		if strings.TrimSpace(k.Got) == "" {
			problem.Code, problem.What = Required, "is empty"
		}
	case *kind.MaxLength:
		problem.Code, problem.Max, problem.What = TooLong, k.Want, "is too long"
	case *kind.MinItems:
		problem.Code, problem.What = Required, "has no entry"
	case *kind.MaxItems:
		problem.Code, problem.Max, problem.What = TooMany, k.Want, fmt.Sprintf("has more than %d entries", k.Want)
	case *kind.Minimum:
		problem.Code, problem.What = InvalidNumber, "is less than "+k.Want.RatString()
	case *kind.Maximum:
		problem.Code, problem.What = InvalidNumber, "is more than "+k.Want.RatString()
	case *kind.Format:
		problem.What = "is no " + k.Want
	default:
		problem.What = "is not valid"
	}
	return Problems{problem}
}
