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
		"/": `<link rel="modulepreload" crossorigin href="/assets/landing.js"> ` +
			`<link rel="preload" as="image" href="/assets/ticket.svg"> ` +
			`<link rel="stylesheet" crossorigin href="/assets/landing.css">`,
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

func TestThePageIsCompressedIfAccepted(t *testing.T) {
	server := newServer(t)
	got := ask(server, http.MethodGet, "/", "Accept-Encoding", "br, gzip")
	if got.Header().Get("Content-Encoding") != "gzip" ||
		got.Header().Get("Vary") != "Accept-Encoding, Cookie, Accept-Language" {
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
	if plain := ask(server, http.MethodGet, "/"); plain.Header().Get("Content-Encoding") != "" ||
		!strings.Contains(plain.Body.String(), "</html>") {
		t.Errorf("a browser that takes nothing compressed got %v", plain.Header())
	}
}

func TestAPageWithAShellLoadsItsScriptsByStart(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS("../testdata/web")); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(root, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"index.html": strings.Replace(string(index), `<div id="root">`, `<!-- shell --><div id="root">`, 1),
		"needs.json": `{"/login":["/assets/login.js","/assets/form.js","/assets/login.css"]}`,
		"shells.json": `{"en":{"/login":"<h1>[[brand]], [[city]]</h1><a href=\"tel:+0000000000\">+0000000000</a>` +
			`<b>[[service1]] [[minutes1]]</b>"}}`,
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "office.json")
	officeFile(t, name, `"brand": "Lekha Tax & Advisory"`, `"brand": "Hisab <& Co>"`)
	server, err := New(root, name, "")
	if err != nil {
		t.Fatal(err)
	}
	body := ask(server, http.MethodGet, "/login").Body.String()
	for _, want := range []string{
		`<div id="shell" inert aria-hidden="true"><h1>Hisab &lt;&amp; Co&gt;, `,
		`<a href="tel:08000000142">080 0000 0142</a>`, `<b>GST Registration 45</b>`,
		`data-modules="/assets/form.js /assets/login.js /assets/index-1.js"`, `href="/assets/login.css"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/login has no %s:\n%s", want, body)
		}
	}
	if strings.Contains(body, `type="module"`) || strings.Contains(body, "[[") {
		t.Errorf("/login loads its scripts at once, or has a mark:\n%s", body)
	}
	if body := ask(server, http.MethodGet, "/register").Body.String(); !strings.Contains(body, `type="module"`) ||
		strings.Contains(body, `id="shell"`) {
		t.Errorf("a page that is not drawn:\n%s", body)
	}
	if got := ask(server, http.MethodGet, "/shells.json", "Accept", "application/json"); got.Code != http.StatusNotFound {
		t.Errorf("the note itself: %d", got.Code)
	}
}
