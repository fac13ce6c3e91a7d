package testkit

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"baari.dev/services/platform/endpoint"
)

// Contract is an API document against which responses are validated.
type Contract struct {
	Document *openapi3.T
	router   routers.Router
}

// LoadContract reads and validates the OpenAPI document at path: each document once per process, because that is slow.
func LoadContract(t testing.TB, path string) *Contract {
	t.Helper()
	once, _ := contracts.LoadOrStore(path, sync.OnceValues(func() (*Contract, error) { return load(path) }))
	contract, err := once.(func() (*Contract, error))()
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

var contracts sync.Map // path -> func() (*Contract, error)

func init() { openapi3filter.RegisterBodyDecoder("text/calendar", openapi3filter.PlainBodyDecoder) }

func load(path string) (*Contract, error) {
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	document, err := loader.LoadFromFile(path)
	if err != nil {
		return nil, err
	}
	if err := document.Validate(context.Background()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	document.Servers = nil
	router, err := gorillamux.NewRouter(document)
	return &Contract{Document: document, router: router}, err
}

// Check returns an error if the response differs from the document, for example by an unknown status or an extra field.
func (c *Contract) Check(r *http.Request, status int, header http.Header, body []byte) error {
	route, params, err := c.router.FindRoute(r)
	if err != nil {
		return err
	}
	return openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 status, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	})
}

// Call sends a request to handler with the session token ("" for none) and validates the response against the API
// document. body is JSON text, "" for none; headers are alternating names and values.
func (c *Contract) Call(
	t testing.TB,
	handler http.Handler,
	token, method, target, body string,
	headers ...string,
) *httptest.ResponseRecorder {
	t.Helper()
	r := newCall(token, method, target, body, headers)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if err := c.Check(r, w.Code, w.Header(), w.Body.Bytes()); err != nil {
		t.Errorf("%s %s answered %d %s\nwhich the API document does not allow: %v", method, target, w.Code, w.Body, err)
	}
	return w
}

// Call sends a request as Contract.Call does, without validating the response.
func Call(
	_ testing.TB,
	handler http.Handler,
	token, method, target, body string,
	headers ...string,
) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, newCall(token, method, target, body, headers))
	return w
}

func newCall(token, method, target, body string, headers []string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// SameRoutes fails unless table and the document have the same operations, each with the same roles (x-public,
// x-roles).
func (c *Contract) SameRoutes(t testing.TB, table *endpoint.Table) {
	t.Helper()
	served, written := map[string]bool{}, map[string]bool{}
	for _, route := range table.Routes() {
		served[route.Method+" "+route.Pattern] = true
		c.sameRoles(t, route)
	}
	for path, item := range c.Document.Paths.Map() {
		for method := range item.Operations() {
			written[method+" "+path] = true
		}
	}
	for call := range served {
		if !written[call] {
			t.Errorf("%s is served but not in the API document", call)
		}
	}
	for call := range written {
		if !served[call] {
			t.Errorf("%s is in the API document but not served", call)
		}
	}
}

func (c *Contract) sameRoles(t testing.TB, route endpoint.Route) {
	t.Helper()
	item := c.Document.Paths.Value(route.Pattern)
	if item == nil || item.GetOperation(route.Method) == nil {
		return // SameRoutes reports it
	}
	extensions := item.GetOperation(route.Method).Extensions
	if public := extensions["x-public"] == true; public != route.Access.IsPublic() {
		t.Errorf("%s %s: public in the document %v, in the table %v",
			route.Method, route.Pattern, public, route.Access.IsPublic())
	}
	roles, _ := extensions["x-roles"].([]any)
	for role := range c.roles() {
		written := slices.Contains(roles, any(role)) || route.Access.IsPublic()
		if served := route.Access.Allows(role); served != written {
			t.Errorf("%s %s: %s allowed by the document %v, by the table %v",
				route.Method, route.Pattern, role, written, served)
		}
	}
}

// roles returns all roles that the document names.
func (c *Contract) roles() map[string]bool {
	named := map[string]bool{}
	for _, item := range c.Document.Paths.Map() {
		for _, operation := range item.Operations() {
			listed, _ := operation.Extensions["x-roles"].([]any)
			for _, role := range listed {
				named[fmt.Sprint(role)] = true
			}
		}
	}
	return named
}
