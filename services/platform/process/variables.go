package process

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/caarlos0/env/v11"
)

// namingVariables says which variable is wrong where the parser names the field of the struct that target points to.
func namingVariables(target any, err error) error {
	var all env.AggregateError
	if !errors.As(err, &all) {
		return err
	}
	names := map[string]string{}
	collectNames(reflect.TypeOf(target).Elem(), names)
	named := make([]error, len(all.Errors))
	for i, problem := range all.Errors {
		named[i] = problem
		var wrong env.ParseError
		if errors.As(problem, &wrong) && names[wrong.Name] != "" {
			named[i] = fmt.Errorf("%s: %w", names[wrong.Name], wrong.Err)
		}
	}
	return errors.Join(named...)
}

// collectNames maps the fields of a struct, and of those embedded in it, to their variables.
func collectNames(of reflect.Type, names map[string]string) {
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous && field.Type.Kind() == reflect.Struct {
			collectNames(field.Type, names)
		}
		if name, _, _ := strings.Cut(field.Tag.Get("env"), ","); name != "" {
			names[field.Name] = name
		}
	}
}
