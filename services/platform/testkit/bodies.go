package testkit

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// RefusesBodiesThatSayNothing sends three JSON bodies to each of the document's operations with a body: an empty
// object, an object with an unknown key only, and one with null for each optional key that may not be null. The
// response must be 400. A body that the document marks with x-empty may be an empty object, because the path is
// sufficient; then only the unknown key must be rejected, and nothing is sent if the body has no properties. call sends
// a request as a role, "" for a public operation, and returns the status; parameters has the values of path parameters.
func (c *Contract) RefusesBodiesThatSayNothing(
	t testing.TB,
	parameters map[string]string,
	call func(role, method, path, body string) (status int, answer string),
) {
	t.Helper()
	for pattern, item := range c.Document.Paths.Map() {
		path := pattern
		for name, value := range parameters {
			path = strings.ReplaceAll(path, "{"+name+"}", value)
		}
		for method, operation := range item.Operations() {
			schema := bodyOf(operation)
			if schema == nil {
				continue
			}
			for _, body := range nothings(schema) {
				if status, answer := call(callerOf(operation), method, path, body); status != http.StatusBadRequest {
					t.Errorf("%s %s with %s answered %d %s", method, pattern, body, status, answer)
				}
			}
		}
	}
}

// bodyOf returns the schema of the JSON body of an operation, or nil if it reads none.
func bodyOf(operation *openapi3.Operation) *openapi3.Schema {
	if operation.RequestBody == nil {
		return nil
	}
	media := operation.RequestBody.Value.Content.Get("application/json")
	if media == nil {
		return nil
	}
	return media.Schema.Value
}

// nothings returns the bodies that an operation with this schema must reject.
func nothings(schema *openapi3.Schema) []string {
	empty := schema.Extensions["x-empty"] == true
	var bodies, optional []string
	if !empty || len(schema.Properties) > 0 {
		bodies = append(bodies, `{"unknown-key":1}`)
	}
	if empty {
		return bodies
	}
	bodies = append(bodies, `{}`)
	for name, property := range schema.Properties {
		if !slices.Contains(schema.Required, name) && !property.Value.Type.Permits("null") {
			optional = append(optional, `"`+name+`":null`)
		}
	}
	slices.Sort(optional)
	return append(bodies, `{`+strings.Join(optional, ",")+`}`)
}

// callerOf returns a role that may call an operation, the administrator's if possible.
func callerOf(operation *openapi3.Operation) string {
	roles, _ := operation.Extensions["x-roles"].([]any)
	switch {
	case operation.Extensions["x-public"] == true || len(roles) == 0:
		return ""
	case slices.Contains(roles, any("admin")):
		return "admin"
	default:
		role, _ := roles[0].(string)
		return role
	}
}
