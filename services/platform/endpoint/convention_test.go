package endpoint

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

// On paths of another contract, errors have that contract's form, HEAD is rejected on paths in GetOnly, and the caller
// is authenticated after the request was read. Other paths are unchanged.
func TestConvention(t *testing.T) {
	var denied []string
	table := conventionTable(t, &denied)
	cases := []struct{ name, method, path, token, want string }{
		{"a rejection has the other contract's form", "POST", "/other/call", "", "401 other: unauthorized"},
		{"the body is judged before the caller", "POST", "/other/unreadable", "", "400 other: bad_body"},
		{"the method sees the caller", "POST", "/other/call", "asha", `200 "asha"`},
		{"the role is still judged", "POST", "/other/admins", "asha", "403 other: forbidden"},
		{"an unknown path is the other contract's", "GET", "/other/nothing", "", "404 "},
		{"so is another method", "GET", "/other/call", "", "404 "},
		{"HEAD is GET there", "HEAD", "/other/open", "", `200 ""`},
		{"but where a GET takes a token", "HEAD", "/other/open/once", "", "404 "},
		{
			"a path that only begins alike is not covered", "GET", "/otherwise", "",
			`404 {"error":"This record does not exist.","code":"not_found","request_id":"r"}`,
		},
		{
			"a rejected method keeps the API's own form", "POST", "/own", "asha",
			`403 {"error":"You do not have permission to access this page.","code":"forbidden","request_id":"r"}`,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := ask(table, c.method, c.path, c.token); got != c.want {
				t.Errorf("%s %s answered %s, want %s", c.method, c.path, got, c.want)
			}
		})
	}
	if got := strings.Join(denied, ", "); got != "POST /other/admins, POST /own" {
		t.Errorf("denials are %s; each known caller's should be reported once", got)
	}
}

func ask(table http.Handler, method, path, token string) string {
	r := httptest.NewRequest(method, path, strings.NewReader("{}"))
	r.Header.Set("X-Request-Id", "r")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	table.ServeHTTP(w, r)
	status := http.StatusText(w.Code)
	return strings.Replace(w.Result().Status, " "+status, " ", 1) + w.Body.String()
}

type oneToken struct{}

func (oneToken) Verify(_ context.Context, token string) (identity.Caller, error) {
	if token == "" {
		return identity.Caller{}, fault.ErrUnauthorized
	}
	return identity.Caller{ID: token, Role: "reception", Active: true}, nil
}

func conventionTable(t *testing.T, denied *[]string) *Table {
	t.Helper()
	who := func(ctx context.Context, _ struct{}) (string, error) {
		caller, _ := identity.From(ctx)
		return caller.ID, nil
	}
	rejected := func(context.Context, struct{}) (string, error) { return "", fault.ErrForbidden }
	unreadable := func(*http.Request) (struct{}, error) { return struct{}{}, fault.ErrBadBody }
	people := Roles("reception")
	table, err := New(Deps{
		Service: "test", Verifier: oneToken{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Denied: func(_ context.Context, _ identity.Caller, route string) { *denied = append(*denied, route) },
		Convention: &Convention{
			Prefix: "/other",
			Reject: func(_ context.Context, w http.ResponseWriter, _ Route, f *fault.Fault) {
				w.WriteHeader(f.Status())
				_, _ = io.WriteString(w, "other: "+f.Code)
			},
			Unrouted: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
			GetOnly:  []string{"/other/open/once"},
			Authenticate: func(r *http.Request) (context.Context, identity.Caller, error) {
				caller, err := oneToken{}.Verify(r.Context(), identity.Bearer(r))
				return r.Context(), caller, err
			},
		},
	},
		Route{Method: "POST", Pattern: "/other/call", Access: people, Handler: JSON(Nothing, who)},
		Route{Method: "POST", Pattern: "/other/unreadable", Access: people, Handler: JSON(unreadable, who)},
		Route{Method: "POST", Pattern: "/other/admins", Access: Roles("admin"), Handler: JSON(Nothing, who)},
		Route{Method: "GET", Pattern: "/other/open", Access: Public(), Handler: JSON(Nothing, who)},
		Route{Method: "GET", Pattern: "/other/open/once", Access: Public(), Handler: JSON(Nothing, who)},
		Route{Method: "POST", Pattern: "/own", Access: people, Handler: JSON(Nothing, rejected)},
	)
	if err != nil {
		t.Fatal(err)
	}
	return table
}
