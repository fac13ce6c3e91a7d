package auth

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/identity"
)

func without[T any](read func(*http.Request) (T, error)) func(*http.Request) error {
	return func(r *http.Request) error {
		_, err := read(r)
		return err
	}
}

// decodersOf returns decoders of this package that have no fuzz target of their own.
func decodersOf(s *Service) []func(*http.Request) error {
	return []func(*http.Request) error{
		without(s.readNothing), without(s.readSignOut), without(s.readGetSession), without(s.readRevoke),
		without(s.readUpdateUser), without(s.readChangePassword), without(s.readChangeEmail), without(s.readDeleteUser),
		without(s.readRequestReset), without(s.readResetPassword), without(s.readSendVerification),
		without(s.readAccountInfo), without(s.readAccountInfoByPost), without(s.readProviderAccount),
		without(s.readProvider), without(s.readSocialSignIn), without(s.readUnlink), without(s.readQuery),
		without(readSaveUser), without(readGetUser), without(readUserFilter), without(readActive),
		without(endpoint.Body[introspect]), without(endpoint.Body[createAdmin]), without(readEndSessions),
	}
}

func FuzzDecoders(f *testing.F) {
	s := blind(f)
	decoders := decodersOf(s)
	for i := range decoders {
		f.Add(uint8(i), `{"email":"asha@example.com","newEmail":"b@example.com","password":"x","currentPassword":"x",`+
			`"newPassword":"yyyyyy","token":"t","name":"Asha"}`, "token=t&callbackURL=%2Fdashboard&page=1&limit=20")
		f.Add(uint8(i), `{"accountId":1,"providerId":"google","callbackURL":"//evil","redirectTo":"/\\evil",`+
			`"session_ids":["a"]}`, "accountId=a&role=pa&active=true&awaiting=maybe&q=%ff")
		f.Add(uint8(i), `{"token":"a","TOKEN":"b"}`, "page=-1&limit=9999999999999999999")
	}
	f.Fuzz(func(t *testing.T, which uint8, body, query string) {
		r := httptest.NewRequest(http.MethodPost, "/api/auth/x", strings.NewReader(body))
		r.URL = &url.URL{Path: "/api/auth/x", RawQuery: query}
		r.Header.Set("Content-Type", "application/json")
		r = r.WithContext(identity.With(r.Context(), identity.Caller{ID: "x", Role: account.Admin, Active: true}))
		wantFault(t, decoders[int(which)%len(decoders)](r))
	})
}
