package endpoint

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	kithttp "github.com/go-kit/kit/transport/http"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

// people maps the tokens of a test to their users. A token is the name of a role, plain or signed; the prefix
// "inactive-" makes its user a deactivated account.
type people struct{}

func (people) Verify(_ context.Context, token string) (identity.Caller, error) {
	if token == "auth-away" {
		return identity.Caller{}, fault.ErrUnavailable
	}
	plain, _, _ := strings.Cut(token, ".")
	role, inactive := strings.CutPrefix(plain, "inactive-")
	if role == "expired" {
		return identity.Caller{}, fault.ErrUnauthorized
	}
	return identity.Caller{ID: "id-" + token, Role: role, Active: !inactive}, nil
}

type order struct {
	Name wire.Field[string] `json:"name"`
}

func readOrder(r *http.Request) (order, error) {
	var o order
	if err := wire.Read(r, &o); err != nil {
		return o, err
	}
	if !o.Name.Present {
		return o, fault.Field("name", fault.NewMessage(fault.CodeRequired, "Name is required"))
	}
	return o, nil
}

type placed struct {
	Name string `json:"name"`
}

func (placed) StatusCode() int      { return http.StatusCreated }
func (placed) Headers() http.Header { return http.Header{"X-Place": {"7"}} }

type gone struct{}

func (gone) StatusCode() int { return http.StatusNoContent }

var (
	_ kithttp.StatusCoder = placed{}
	_ kithttp.Headerer    = placed{}
)

func place(_ context.Context, o order) (placed, error) { return placed{Name: o.Name.Value}, nil }

func answer[T any](value T, err error) func(context.Context, struct{}) (T, error) {
	return func(context.Context, struct{}) (T, error) { return value, err }
}

func explode(context.Context, struct{}) (string, error) { panic("secret of db-1") }

func shopRoutes() []Route {
	clerk := Roles("clerk")
	return []Route{
		{Method: "POST", Pattern: "/orders", Access: clerk, Handler: JSON(readOrder, place)},
		{Method: "GET", Pattern: "/orders/{id}", Access: clerk, Handler: JSON(Nothing, answer("one", nil))},
		{Method: "GET", Pattern: "/me", Access: Roles("clerk", "boss").Inactive(), Handler: JSON(Nothing, answer("me", nil))},
		{Method: "POST", Pattern: "/me", Access: Roles("clerk").Cookie(), Handler: JSON(Nothing, answer("me", nil))},
		{Method: "DELETE", Pattern: "/orders/{id}", Access: Roles("boss"), Handler: JSON(Nothing, answer(gone{}, nil))},
		{Method: "GET", Pattern: "/open", Access: Public(), Handler: JSON(Nothing, answer("open", nil))},
		{
			Method: "GET", Pattern: "/broken", Access: Public(),
			Handler: JSON(Nothing, answer("", errors.New("no relation at db-1"))),
		},
		{Method: "GET", Pattern: "/canceled", Access: Public(), Handler: JSON(Nothing, answer("", context.Canceled))},
		{Method: "GET", Pattern: "/late", Access: Public(), Handler: JSON(Nothing, answer("", context.DeadlineExceeded))},
		{Method: "GET", Pattern: "/panic", Access: Public(), Handler: JSON(Nothing, explode)},
		{
			Method: "GET", Pattern: "/wait", Access: Public(),
			Handler: JSON(Nothing, answer("", fault.ErrUnavailable.After(1500*time.Millisecond))),
		},
		{
			Method: "GET", Pattern: "/taken", Access: Public(),
			Handler: JSON(Nothing, answer("", fault.New(fault.Conflict, "taken", "Another request was faster"))),
		},
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func shop(t *testing.T, edit ...func(*Deps)) *Table {
	t.Helper()
	deps := Deps{Service: "shop", Verifier: people{}, Log: quiet(), Conflicts: []string{"taken"}}
	deps.CheckOrigin = func(r *http.Request) error {
		if r.Header.Get("Origin") != "https://office.example" {
			return fault.ErrForbidden
		}
		return nil
	}
	for _, change := range edit {
		change(&deps)
	}
	table, err := New(deps, shopRoutes()...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// call sends a request; headers are pairs.
func call(table http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("X-Request-Id", "r")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	table.ServeHTTP(w, r)
	return w
}

func TestAnInvalidRouteIsRejected(t *testing.T) {
	handler := JSON(Nothing, answer("", nil))
	good := Route{Method: "GET", Pattern: "/a", Access: Roles("clerk"), Handler: handler}
	deps := Deps{Service: "shop", Verifier: people{}, Log: quiet(), Registry: prometheus.NewRegistry()}
	for name, c := range map[string]struct {
		change func(*Route)
		says   string
	}{
		"no access rule":     {func(r *Route) { r.Access = Access{} }, "no access rule"},
		"no roles":           {func(r *Route) { r.Access = Roles() }, "no access rule"},
		"only an owner":      {func(r *Route) { r.Access = Access{}.Owned("self").Inactive().Cookie() }, "no access rule"},
		"no handler":         {func(r *Route) { r.Handler = Handler{} }, "no handler"},
		"no method":          {func(r *Route) { r.Method = "" }, "no method"},
		"no path":            {func(r *Route) { r.Pattern = "" }, "no path"},
		"no public keys":     {func(r *Route) { r.Access = Service() }, "public keys"},
		"a cookie unguarded": {func(r *Route) { r.Method, r.Access = "POST", Roles("clerk").Cookie() }, "origin"},
		"half a limit":       {func(r *Route) { r.Limit = limit.Rule{Name: "a", By: limit.PerUser, Count: 1} }, "limit"},
	} {
		route := good
		c.change(&route)
		// ASVS 8.3.1
		if _, err := New(deps, good, route); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(Deps{Service: "shop", Log: quiet()}, good); err == nil {
		t.Error("a route for people started without a verifier")
	}
	if _, err := New(deps, good); err != nil {
		t.Errorf("the good one: %v", err)
	}
}

func TestAccessReportsItsRules(t *testing.T) {
	access := Roles("clerk").Owned("self").Inactive()
	if access.Owner() != "self" || !access.Allows("clerk") || access.Allows("boss") || !access.AllowsInactive() ||
		access.IsPublic() {
		t.Errorf("the rule reads %+v", access)
	}
	if open := Public(); !open.IsPublic() || !open.Allows("clerk") || !open.AllowsInactive() {
		t.Errorf("the public rule reads %+v", open)
	}
	if rows := shop(t).Routes(); len(rows) != len(shopRoutes()) || rows[0].Pattern != "/orders" {
		t.Errorf("lists %d rows", len(rows))
	}
}

func readAll(t *testing.T, body io.Reader) string {
	t.Helper()
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
