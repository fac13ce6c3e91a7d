package httpclient_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"baari.dev/services/platform/httpclient"
)

func TestARequestCarriesJSONAndTheAnswerItsCode(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil || string(sent) != `{"name":"Asha"}` || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("received %s as %s: %v", sent, r.Header.Get("Content-Type"), err)
		}
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"error":"Visit is already approved","code":"visit_already_decided"}`)
	}))
	defer server.Close()
	request, err := httpclient.Request(t.Context(), http.MethodPost, server.URL, map[string]string{"name": "Asha"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := httpclient.Do(server.Client(), request)
	if err != nil || answer.Status != http.StatusConflict || answer.Code() != "visit_already_decided" {
		t.Errorf("got %d %q, %v", answer.Status, answer.Code(), err)
	}
}

func TestARequestWithoutABodyHasNoContentType(t *testing.T) {
	request, err := httpclient.Request(t.Context(), http.MethodGet, "http://localhost/", nil)
	if err != nil || request.Header.Get("Content-Type") != "" || request.Body != http.NoBody {
		t.Errorf("got %v, %v", request, err)
	}
}

func TestEventsKeepTheLastID(t *testing.T) {
	stream := "id: 1\ndata: a\n\n: comment\n\ndata: b\n\nid: 2\ndata: c\n\ndata: cut"
	var got []httpclient.Event
	var end error
	for event, err := range httpclient.Events(strings.NewReader(stream)) {
		if end = err; err == nil {
			got = append(got, event)
		}
	}
	want := []httpclient.Event{{ID: "1", Data: "a"}, {ID: "1", Data: "b"}, {ID: "2", Data: "c"}}
	if !slices.Equal(got, want) || !errors.Is(end, io.ErrUnexpectedEOF) {
		t.Errorf("got %v and %v", got, end)
	}
}
