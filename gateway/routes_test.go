package gateway

import (
	"strings"
	"testing"
)

func TestTheTableIsValid(t *testing.T) {
	routes, err := Routes()
	if err != nil {
		t.Fatal(err)
	}
	for i, route := range routes[1:] {
		if bySpecificity(route, routes[i]) < 0 {
			t.Errorf("%s comes after %s, which is less specific", route, routes[i])
		}
	}
}

func TestAnInvalidRowIsNamed(t *testing.T) {
	for rows, want := range map[string]string{
		`{path: /api/x, upstream: unknown}`:                              `/api/x: no service is called "unknown"`,
		`{path: /api/x, upstream: web}`:                                  `/api/x: no service is called "web"`,
		`{path: /x, upstream: auth}`:                                     "/x: a path starts with /api/",
		`{path: /api/x/, upstream: auth}`:                                "/api/x/: a path starts",
		`{path: /x, at: side, upstream: auth}`:                           `/x: no place is called "side"`,
		`{path: /api/x, at: root, upstream: auth}`:                       "/api/x: a path at the root is one letter",
		`{path: /api/x, upstream: auth, answer: later}`:                  `/api/x: no answer is called "later"`,
		`{path: "/api/{id}", deeper: true, upstream: auth}`:              "/api/{id}/*: a path with {id} cannot be deeper",
		`{path: /api/x, upstream: auth}, {path: /api/x, upstream: auth}`: "/api/x comes twice",
		`{path: /api/x, upstream: auth, deep: true}`:                     "field deep not found",
	} {
		document := "routes: [" + rows + "]"
		if _, err := parse([]byte(document)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", document, err, want)
		}
	}
}
