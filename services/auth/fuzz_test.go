package auth

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

// blind returns a service without a database, which decoders do not need.
func blind(t testing.TB) *Service {
	t.Helper()
	options := Options{BaseURL: site, Secret: secret, PasswordMin: 6, Lifetimes: lifetimes}
	s, err := New(options, Deps{Registry: prometheus.NewRegistry()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wantFault fails the test unless err is nil or a fault with a 4xx status and a sentence.
func wantFault(t *testing.T, err error) {
	t.Helper()
	if f := fault.Of(err); err != nil && (f.Status() >= 500 || f.Sentence == "") {
		t.Fatalf("rejected with %v", err)
	}
}

func FuzzSignIn(f *testing.F) {
	s := blind(f)
	f.Add(`{"email":"asha@example.com","password":"secret phrase","rememberMe":false,"callbackURL":"/dashboard"}`,
		"application/json")
	f.Add(`email=asha%40example.com&password=x`, "application/x-www-form-urlencoded; charset=utf-8")
	f.Add(`{"email":"a","Email":"b"}`, "application/json")
	f.Fuzz(func(t *testing.T, body, media string) {
		r := httptest.NewRequest("POST", base+"/sign-in/email", strings.NewReader(body))
		r.Header.Set("Content-Type", media)
		req, err := s.readSignIn(r)
		wantFault(t, err)
		if err == nil && req.Callback != "" && !s.origins.target(req.Callback) {
			t.Fatalf("redirects to %q", req.Callback)
		}
	})
}

func FuzzSignUp(f *testing.F) {
	s := blind(f)
	f.Add(`{"name":"Asha","email":"asha@example.com","password":"secret phrase","image":null,"role":"admin"}`)
	f.Add(`{"name":"\u202eAsha","email":"asha@example.com","password":"secret phrase"}`)
	f.Add(`{"name":"x","name":"y"}`)
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest("POST", base+"/sign-up/email", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		req, err := s.readSignUp(r)
		wantFault(t, err)
		if err != nil {
			return
		}
		if !account.ValidEmail(req.Email) || req.Email != account.FoldEmail(req.Email) ||
			strings.ContainsAny(req.Name, "\x00\n\r\u202e") || req.Password == "" {
			t.Fatalf("read as %+v", req)
		}
		again, err := json.Marshal(map[string]any{
			"name": req.Name, "email": req.Email, "password": req.Password, "rememberMe": req.Remember,
		})
		if err != nil {
			t.Fatal(err)
		}
		r = httptest.NewRequest("POST", base+"/sign-up/email", strings.NewReader(string(again)))
		r.Header.Set("Content-Type", "application/json")
		second, err := s.readSignUp(r)
		if err != nil || second.Name != req.Name || second.Email != req.Email ||
			second.Password != req.Password || second.Remember != req.Remember {
			t.Fatalf("%+v became %+v (%v)", req, second, err)
		}
	})
}

func FuzzUserUpdate(f *testing.F) {
	f.Add(`{"role":"consultant","isActive":true,"is_active":true}`, true)
	f.Add(`{"role":"pa","ROLE":"admin"}`, false)
	f.Add(`{"name":"Asha","is_active":false}`, true)
	f.Fuzz(func(t *testing.T, body string, admin bool) {
		r := httptest.NewRequest("PUT", "/api/users/x", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		caller := identity.Caller{ID: "x", Role: account.Reception, Active: true}
		if admin {
			caller.Role = account.Admin
		}
		req, err := readChangeUser(r.WithContext(identity.With(r.Context(), caller)))
		wantFault(t, err)
		if err == nil && (req.Role != nil && !account.KnownRole(*req.Role) || req.Name != nil && !admin) {
			t.Fatalf("read as %+v", req)
		}
	})
}

func FuzzCookie(f *testing.F) {
	s := blind(f)
	f.Add(cookieName + "=" + url.QueryEscape(s.cookies.signer.sign("token")))
	f.Add(cookieName + "=token.x; other=1")
	f.Add(cookieName + `="%zz"`)
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest("GET", base+"/get-session", nil)
		r.Header.Set("Cookie", header)
		token := s.cookies.token(r)
		signature := s.cookies.signer.signature(token)
		if token != "" && !strings.Contains(header, url.QueryEscape(signature)) && !strings.Contains(header, signature) {
			t.Fatalf("%q was read from %q without its signature", token, header)
		}
	})
}

func FuzzBearer(f *testing.F) {
	s := blind(f)
	f.Add("Bearer " + data.NewToken())
	f.Add("bearer " + s.cookies.signer.sign("token"))
	f.Add("Bearer " + url.QueryEscape(s.cookies.signer.sign("token")))
	f.Add("Bearer token.forged")
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest("GET", base+"/get-session", nil)
		r.Header.Set("Authorization", header)
		token := s.cookies.token(r)
		bearer, signature := identity.Bearer(r), s.cookies.signer.signature(token)
		if strings.Contains(bearer, ".") && token != "" && !strings.HasSuffix(bearer, "."+signature) {
			t.Fatalf("%q was read from %q without its signature", token, header)
		}
	})
}
