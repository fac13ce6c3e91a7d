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
	for document, want := range map[string]string{
		`routes: [{path: /api/x, upstream: nobody}]`:                                 `/api/x: no service is called "nobody"`,
		`routes: [{path: /api/x, upstream: web}]`:                                    `/api/x: no service is called "web"`,
		`routes: [{path: /x, upstream: auth}]`:                                       "/x: a path starts with /api/",
		`routes: [{path: /api/x/, upstream: auth}]`:                                  "/api/x/: a path starts",
		`routes: [{path: /api/x, upstream: auth, answer: later}]`:                    `/api/x: no answer is called "later"`,
		`routes: [{path: "/api/{id}", deeper: true, upstream: auth}]`:                "/api/{id}/*: a path with {id} cannot be deeper",
		`routes: [{path: /api/x, upstream: auth}, {path: /api/x, upstream: visits}]`: "/api/x comes twice",
		`routes: [{path: /api/x, upstream: auth, deep: true}]`:                       "field deep not found",
	} {
		if _, err := parse([]byte(document)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", document, err, want)
		}
	}
}
