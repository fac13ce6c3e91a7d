package endpoint

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
)

// Calls are counted per caller or per address, as the route says, also on paths of another contract.
func TestACallIsCountedForItsCallerOrForItsAddress(t *testing.T) {
	rule := func(name string, by limit.By) limit.Rule {
		return limit.Rule{Name: name, By: by, Count: 1, Period: time.Hour, Burst: 1}
	}
	clerks, said := Roles("clerk", "boss"), JSON(Nothing, answer("said", nil))
	table, err := New(Deps{
		Service: "shop", Verifier: people{}, Log: quiet(), Limiter: limit.New(nil, "shop"),
		Convention: &Convention{
			Prefix: "/other",
			Reject: func(_ context.Context, w http.ResponseWriter, _ Route, f *fault.Fault) { w.WriteHeader(f.Status()) },
			Authenticate: func(r *http.Request) (context.Context, identity.Caller, error) {
				caller, err := people{}.Verify(r.Context(), identity.Bearer(r))
				return r.Context(), caller, err
			},
		},
	},
		Route{Method: "GET", Pattern: "/person", Access: clerks, Limit: rule("a", limit.PerUser), Handler: said},
		Route{Method: "GET", Pattern: "/address", Access: clerks, Limit: rule("b", limit.PerAddress), Handler: said},
		Route{Method: "GET", Pattern: "/other/person", Access: clerks, Limit: rule("c", limit.PerUser), Handler: said},
		Route{Method: "GET", Pattern: "/other/address", Access: clerks, Limit: rule("d", limit.PerAddress), Handler: said},
	)
	if err != nil {
		t.Fatal(err)
	}
	from := func(address, token, path string) int {
		r := httptest.NewRequest(http.MethodGet, path, strings.NewReader(""))
		r.RemoteAddr = net.JoinHostPort(address, "4000")
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		table.ServeHTTP(w, r)
		return w.Code
	}
	for _, prefix := range []string{"", "/other"} {
		for _, c := range []struct {
			address, token, path string
			want                 int
		}{
			{"192.0.2.1", "clerk", "/person", http.StatusOK},
			{"192.0.2.2", "clerk", "/person", http.StatusTooManyRequests},
			{"192.0.2.1", "boss", "/person", http.StatusOK},
			{"192.0.2.1", "clerk", "/address", http.StatusOK},
			{"192.0.2.1", "boss", "/address", http.StatusTooManyRequests},
			{"192.0.2.2", "clerk", "/address", http.StatusOK},
			{"::ffff:192.0.2.2", "clerk", "/address", http.StatusTooManyRequests}, // the same IPv4 address
			{"2001:db8:1:2::a", "clerk", "/address", http.StatusOK},
			{"2001:db8:1:2:ffff::b", "clerk", "/address", http.StatusTooManyRequests}, // the same /64
			{"2001:db8:1:3::a", "clerk", "/address", http.StatusOK},
		} {
			if got := from(c.address, c.token, prefix+c.path); got != c.want {
				t.Errorf("%s of %s from %s: %d, want %d", prefix+c.path, c.token, c.address, got, c.want)
			}
		}
	}
}

func TestARepeatedQueryKeyIsABadRequest(t *testing.T) {
	table := shop(t)
	for query, want := range map[string]int{
		"a=1&b=2": http.StatusOK, "a=1&A=2": http.StatusOK,
		"a=1&a=2": http.StatusBadRequest, "a=1&%61=1": http.StatusBadRequest,
		"a&b&a": http.StatusBadRequest,
	} {
		// ASVS 15.3.7
		if got := call(table, "GET", "/open?"+query, "").Code; got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	err := checkQuery(httptest.NewRequest(http.MethodGet, "/open?a=1&a=2", nil))
	var repeated *RepeatedKeyError
	if !errors.As(err, &repeated) || repeated.Error() != `the query repeats the key "a"` {
		t.Errorf("the cause is %v", err)
	}
}

func TestAHandlerCanAbortItsResponse(t *testing.T) {
	aborts := func(context.Context, struct{}) (string, error) { panic(http.ErrAbortHandler) }
	table := one(t, JSON(Nothing, aborts))
	defer func() {
		if caught := recover(); caught != http.ErrAbortHandler {
			t.Errorf("the server got %v", caught)
		}
	}()
	call(table, "GET", "/one", "")
}

func TestARequestWaitsForThePositionInItsHeader(t *testing.T) {
	var seen string
	table := shop(t, func(d *Deps) { d.Await = func(_ context.Context, h http.Header) { seen = h.Get("X-Feed-Min") } })
	if call(table, "GET", "/open", "", "X-Feed-Min", "visits=0d:42"); seen != "visits=0d:42" {
		t.Errorf("it waits for %q", seen)
	}
}
