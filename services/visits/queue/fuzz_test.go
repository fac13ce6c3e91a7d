package queue

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
)

func rejectedAsClientError(t *testing.T, err error) {
	t.Helper()
	if err != nil && fault.Of(err).Status() >= http.StatusInternalServerError {
		t.Errorf("a bad body is answered as an error of the server: %v", err)
	}
}

func isText(s string, longest int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= longest && !strings.ContainsRune(s, 0)
}

func requestOf(method, path, body string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

func FuzzCreateVisit(f *testing.F) {
	for _, body := range []string{
		`{"name":"Asha","phone":"9876543210","service_id":"01890000-0000-7000-8000-000000000001","notes":"x"}`,
		`{"name":5,"phone":null,"serviceId":[]}`, `{"name":"\ud800"}`, `{"name":"\u0000"}`, `{"name":"a","NAME":"b"}`,
		`[]`, ``, "{\"name\":\"क्\u200dष\"}",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		req, err := readCreate(requestOf(http.MethodPost, "/api/visits", body))
		rejectedAsClientError(t, err)
		if err != nil {
			return
		}
		if !isText(req.Name, 100) || !isText(req.Notes, 2000) || req.Name == "" || len(req.Phone) != 10 {
			t.Errorf("accepted %+v", req)
		}
	})
}

func FuzzChangeStatus(f *testing.F) {
	for _, body := range []string{
		`{"status":"approved","assigned_consultant_id":"x","pa_id":"y","notes":""}`, `{"status":"new"}`,
		`{"status":"denied","version":1e999}`, `{"status":"denied","version":-0}`,
		`{"status":"in-session","STATUS":"denied"}`, `{}`, `null`,
	} {
		f.Add(body, `"3"`)
	}
	f.Fuzz(func(t *testing.T, body, version string) {
		r := requestOf(http.MethodPut, "/api/visits/x/status", body)
		r.SetPathValue("id", "01890000-0000-7000-8000-000000000001")
		if !strings.ContainsAny(version, "\r\n\x00") {
			r.Header.Set("If-Match", version)
		}
		r = r.WithContext(identity.With(r.Context(), identity.Caller{ID: "u1", Role: "admin", Active: true}))
		req, err := readChange(r)
		rejectedAsClientError(t, err)
		if err == nil && req.Action == "approve" && (req.ConsultantID == "") != req.ToLine {
			t.Errorf("accepted an approval without a consultant: %+v", req)
		}
	})
}

func FuzzSaveDraft(f *testing.F) {
	for _, body := range []string{
		`{"notes":"Form 26AS matches"}`, `{"notes":5}`, `{}`, `{"notes":"\u0000"}`, `{"notes":"a","NOTES":"b"}`,
		`[]`, ``,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := requestOf(http.MethodPut, "/api/visits/x/draft", body)
		r.SetPathValue("id", "01890000-0000-7000-8000-000000000001")
		req, err := readDraft(r)
		rejectedAsClientError(t, err)
		if err == nil && !isText(req.Notes, 2000) {
			t.Errorf("accepted %+v", req)
		}
	})
}
