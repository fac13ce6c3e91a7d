package webserver

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"baari.dev/services/office"
)

const example = "../testdata/office.json"

func newServer(t *testing.T) *Server {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS("../testdata/web")); err != nil {
		t.Fatal(err)
	}
	brotli := []byte("the brotli form") // the server does not decompress it
	if err := os.WriteFile(filepath.Join(root, "assets", "index-1.js.br"), brotli, 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := New(root, example, "https://office.example")
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func ask(server http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	return w
}

// Files that a build writes for its own tools, such as Vite's manifest of modules, are in hidden folders.
func TestHiddenFilesOfTheBuildAreNotServed(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS("../testdata/web")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, ".vite"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".vite/manifest.json", ".vite/manifest.json.br", ".env"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server, err := New(root, example, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/.vite/manifest.json", "/.vite/manifest.json.br", "/.env"} {
		if got := ask(server, http.MethodGet, path, "Accept", "text/html"); got.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, got.Code, got.Body)
		}
	}
}

// The board's page has a fixed policy without inline styles, so a service worker can keep the page with its policy. The
// page's cache policy requires revalidation.
func TestTheBoardHasAFixedPolicy(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS("../testdata/web")); err != nil {
		t.Fatal(err)
	}
	const page = "<!doctype html><title>Board</title>"
	if err := os.WriteFile(filepath.Join(root, "board.html"), []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := New(root, example, "")
	if err != nil {
		t.Fatal(err)
	}
	got := ask(server, http.MethodGet, "/board")
	policy := got.Header().Get("Content-Security-Policy")
	if got.Code != http.StatusOK || got.Body.String() != page || got.Header().Get("Cache-Control") != "no-cache" ||
		!strings.HasPrefix(got.Header().Get("Content-Type"), "text/html") || got.Header().Get("X-Robots-Tag") != "noindex" {
		t.Errorf("/board: %d %v %s", got.Code, got.Header(), got.Body)
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "nonce") ||
		!strings.Contains(policy, "default-src 'self'") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("/board has the policy %s", policy)
	}
	if got := ask(server, http.MethodGet, "/board.html", "Accept", "application/json"); got.Code != http.StatusNotFound &&
		got.Body.String() == page {
		t.Errorf("/board.html: %d", got.Code)
	}
}

func TestEveryPageHasItsOwnNonce(t *testing.T) {
	server := newServer(t)
	given := regexp.MustCompile(`nonce="([^"]+)"`)
	seen := map[string]bool{}
	for _, path := range []string{"/", "/", "/login", "/dashboard/pa", "/no/such/screen"} {
		got := ask(server, http.MethodGet, path)
		nonces := given.FindAllStringSubmatch(got.Body.String(), -1)
		if got.Code != http.StatusOK || len(nonces) != 2 || nonces[0][1] != nonces[1][1] {
			t.Fatalf("%s: %d with nonces %v", path, got.Code, nonces)
		}
		nonce := nonces[0][1]
		want := "default-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self' 'nonce-" + nonce +
			"'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
		// ASVS 1.3.2, 3.4.3, 3.4.6, 11.5.1, 14.2.3
		if policy := got.Header().Get("Content-Security-Policy"); policy != want || seen[nonce] || len(nonce) < 22 {
			t.Errorf("%s: nonce %s, policy %s", path, nonce, policy)
		}
		if strings.Contains(got.Body.String(), nonceMark) || got.Header().Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: the mark is left, or the page is kept", path)
		}
		seen[nonce] = true
	}
}

func TestTheHeadHasTheOfficesTags(t *testing.T) {
	body := ask(newServer(t), http.MethodGet, "/").Body.String()
	for _, want := range []string{
		"<title>Lekha Tax &amp; Advisory, Jayanagar 4th Block, Bengaluru</title>",
		`<meta name="description" content="ITR Filing, GST Registration, GST Return Filing and more at ` +
			`Lekha Tax &amp; Advisory`,
		`<meta property="og:title" content="Lekha Tax &amp; Advisory`,
		`<link rel="canonical" href="https://office.example/">`,
	} {
		// ASVS 1.2.1
		if strings.Count(body, want) != 1 {
			t.Errorf("not once: %s\n%s", want, body)
		}
	}
	if strings.Contains(body, "<title>Baari") || strings.Contains(body, "replaced by the office") ||
		strings.Contains(body, "of the build") {
		t.Errorf("the build's own head is left:\n%s", body)
	}
	data := regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`).FindStringSubmatch(body)
	if data == nil {
		t.Fatal("no data block")
	}
	var business struct {
		Name  string         `json:"name"`
		Hours []openingHours `json:"openingHoursSpecification"`
	}
	if err := json.Unmarshal([]byte(data[1]), &business); err != nil {
		t.Fatal(err)
	}
	if business.Name != "Lekha Tax & Advisory" || len(business.Hours) != 2 || len(business.Hours[0].Days) != 5 ||
		business.Hours[1].Closes != "17:00" {
		t.Errorf("got %+v", business)
	}
}

func TestTheHeadHasBothSpansOfADayWithABreak(t *testing.T) {
	document, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "office.json")
	whole := `{ "days": "Monday-Friday", "open": "9 AM", "close": "7 PM" }`
	broken := `{ "days": "Monday-Friday", "open": "9 AM", "close": "1 PM" },
    { "days": "Monday-Friday", "open": "2 PM", "close": "7 PM" }`
	if strings.Count(string(document), whole) != 1 {
		t.Fatal("the example has other hours")
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(document), whole, broken, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := New("../testdata/web", name, "")
	if err != nil {
		t.Fatal(err)
	}
	body := ask(server, http.MethodGet, "/").Body.String()
	want := "Monday-Friday 9 AM to 1 PM and 2 PM to 7 PM, Saturday 9 AM to 5 PM."
	if !strings.Contains(body, want) {
		t.Errorf("the description has not %q:\n%s", want, body)
	}
	for _, span := range []string{`"opens":"09:00","closes":"13:00"`, `"opens":"14:00","closes":"19:00"`} {
		if strings.Count(body, span) != 1 {
			t.Errorf("not once: %s\n%s", span, body)
		}
	}
}

func TestTextsOfTheOfficeAreEscaped(t *testing.T) {
	document, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "office.json")
	evil := strings.Replace(string(document), "Lekha Tax & Advisory", `</script></title><script>alert(1)</script>`, 1)
	if err := os.WriteFile(name, []byte(evil), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := New("../testdata/web", name, "")
	if err != nil {
		t.Fatal(err)
	}
	// ASVS 1.2.1, 1.2.3
	if body := ask(server, http.MethodGet, "/").Body.String(); strings.Contains(body, "<script>alert") {
		t.Errorf("the name became markup:\n%s", body)
	}
}

func TestOnlyPublicPagesAreIndexed(t *testing.T) {
	server := newServer(t)
	for path, hidden := range map[string]bool{
		"/": false, "/login": false, "/register": true, "/dashboard": true, "/debug": true, "/else": true,
	} {
		got := ask(server, http.MethodGet, path)
		if (got.Header().Get("X-Robots-Tag") == "noindex") != hidden ||
			strings.Contains(got.Body.String(), `name="robots" content="noindex"`) != hidden {
			t.Errorf("%s hidden: want %v, header %v", path, hidden, got.Header())
		}
	}
	if got := ask(server, http.MethodGet, "/robots.txt").Body.String(); !strings.Contains(
		got, "Sitemap: https://office.example/sitemap.xml",
	) {
		t.Error(got)
	}
	if got := ask(server, http.MethodGet, "/sitemap.xml").Body.String(); !strings.Contains(
		got, "<loc>https://office.example/</loc>",
	) {
		t.Error(got)
	}
}

func TestTheSmallestAcceptedFormIsSent(t *testing.T) {
	server := newServer(t)
	for accept, want := range map[string]string{
		"": "", "gzip": "gzip", "gzip, deflate, br": "br", "br;q=0, gzip;q=0.5": "gzip", "br;q=0": "", "identity": "",
		"zstd, GZIP": "gzip",
	} {
		got := ask(server, http.MethodGet, "/assets/index-1.js", "Accept-Encoding", accept)
		h := got.Header()
		if h.Get("Content-Encoding") != want || h.Get("Vary") != "Accept-Encoding" || h.Get("Cache-Control") != immutable ||
			h.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("accepting %q: %v", accept, h)
		}
		again := ask(server, http.MethodGet, "/assets/index-1.js", "Accept-Encoding", accept, "If-None-Match", h.Get("ETag"))
		if again.Code != http.StatusNotModified {
			t.Errorf("accepting %q a second time: %d", accept, again.Code)
		}
	}
	if got := ask(server, http.MethodGet, "/theme.js"); got.Header().Get("Cache-Control") != revalidate ||
		got.Header().Get("Vary") != "" {
		t.Errorf("a file without a hash in its name: %v", got.Header())
	}
	for _, sibling := range []string{"/assets/index-1.js.br", "/assets/index-1.js.gz", "/index.html"} {
		if got := ask(server, http.MethodGet, sibling); got.Code != http.StatusNotFound {
			t.Errorf("%s: %d", sibling, got.Code)
		}
	}
}

func TestAMissingFileIsAnsweredAsJSON(t *testing.T) {
	server := newServer(t)
	for _, c := range []struct {
		method, path, accept string
		want                 int
		code                 string
	}{
		{"GET", "/assets/old-hash.js", "*/*", 404, "not_found"},
		{"GET", "/favicon.ico", "image/*", 404, "not_found"},
		{"GET", "/assets/", "*/*", 404, "not_found"},
		{"GET", "/screen", "application/json", 404, "not_found"},
		{"GET", "/api/anything", "text/html", 404, "not_found"},
		{"POST", "/API", "text/html", 404, "not_found"},
		{"GET", "/metrics", "text/html", 404, "not_found"},
		{"POST", "/login", "text/html", 405, "method_not_allowed"},
		{"GET", "/__errors/429", "text/html", 429, "rate_limited"},
		{"POST", "/__errors/504", "", 504, "unavailable"},
		{"GET", "/__errors/200", "", 404, "not_found"},
		{"GET", "/__errors/x", "", 404, "not_found"},
	} {
		got := ask(server, c.method, c.path, "Accept", c.accept, "X-Request-Id", "r1")
		var fault map[string]string
		if err := json.Unmarshal(got.Body.Bytes(), &fault); err != nil {
			t.Errorf("%s %s: %v in %s", c.method, c.path, err, got.Body)
		}
		// ASVS 3.2.1, 13.4.3
		if got.Code != c.want || fault["code"] != c.code || fault["error"] == "" || fault["request_id"] != "r1" {
			t.Errorf("%s %s: %d %v", c.method, c.path, got.Code, fault)
		}
	}
}

func TestTheOfficeItselfIsServed(t *testing.T) {
	want, err := office.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(t)
	file := ask(server, http.MethodGet, "/office.json")
	page := ask(server, http.MethodGet, "/").Body.String()
	block := regexp.MustCompile(`(?s)<script type="application/json" id="office">(.*?)</script>`).FindStringSubmatch(page)
	if file.Header().Get("Content-Type") != "application/json" || block == nil {
		t.Fatalf("%v, %v", file.Header(), block)
	}
	for text, want := range map[string]office.Document{file.Body.String(): want, block[1]: want.In("en")} {
		var got office.Public
		public := want.Public(0)
		public.Document.Appointments = office.Appointments{} // the public ones take their place
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, public) {
			t.Errorf("%v, %+v in %s", err, got, text)
		}
	}
}

func TestAnInvalidBuildStopsTheStart(t *testing.T) {
	empty := t.TempDir()
	if _, err := New(empty, example, ""); err == nil || !strings.Contains(err.Error(), "WEB_ROOT") {
		t.Errorf("no index.html: %v", err)
	}
	if err := os.WriteFile(filepath.Join(empty, "index.html"), []byte("<head></head>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(empty, example, ""); err == nil || !strings.Contains(err.Error(), nonceMark) {
		t.Errorf("no place for the nonce: %v", err)
	}
	if _, err := New("../testdata/web", "missing.json", ""); err == nil || !strings.Contains(err.Error(), "OFFICE_FILE") {
		t.Errorf("no office: %v", err)
	}
}
