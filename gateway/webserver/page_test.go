package webserver

import (
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAScreensFilesAreNamedInItsPage(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS("../testdata/web")); err != nil {
		t.Fatal(err)
	}
	note := `{"/":["/assets/landing.js","/assets/landing.css","/assets/ticket.svg"],"/dashboard/pa":["/assets/pa.js"]}`
	if err := os.WriteFile(filepath.Join(root, "needs.json"), []byte(note), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := New(root, example, "")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/":             `<link rel="modulepreload" crossorigin href="/assets/landing.js"> <link rel="preload" as="image" href="/assets/ticket.svg"> <link rel="stylesheet" crossorigin href="/assets/landing.css">`,
		"/dashboard/pa": `<link rel="modulepreload" crossorigin href="/assets/pa.js">`,
	} {
		body := strings.Join(strings.Fields(ask(server, http.MethodGet, path).Body.String()), " ")
		if !strings.Contains(body, want) {
			t.Errorf("%s does not name %s:\n%s", path, want, body)
		}
	}
	if body := ask(server, http.MethodGet, "/register").Body.String(); strings.Contains(body, "modulepreload") {
		t.Errorf("a screen without a note names files:\n%s", body)
	}
	if got := ask(server, http.MethodGet, "/needs.json", "Accept", "application/json"); got.Code != http.StatusNotFound {
		t.Errorf("the note itself: %d", got.Code)
	}
}

func TestThePageIsSentSmallToWhoTakesIt(t *testing.T) {
	server := newServer(t)
	got := ask(server, http.MethodGet, "/", "Accept-Encoding", "br, gzip")
	if got.Header().Get("Content-Encoding") != "gzip" || got.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("%v", got.Header())
	}
	unzipped, err := gzip.NewReader(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(unzipped)
	if err != nil || !strings.Contains(string(body), "</html>") {
		t.Errorf("%v: %s", err, body)
	}
	if plain := ask(server, http.MethodGet, "/"); plain.Header().Get("Content-Encoding") != "" || !strings.Contains(plain.Body.String(), "</html>") {
		t.Errorf("a browser that takes nothing compressed got %v", plain.Header())
	}
}
