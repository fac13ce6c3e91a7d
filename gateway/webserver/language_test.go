package webserver

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// translatedServer serves a build with Hindi, for an office that offers English, Hindi and Kannada.
func translatedServer(t *testing.T, base string) *Server {
	t.Helper()
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
		"needs.json": `{"/":["/assets/landing.js"],"/dashboard/pa":["/assets/pa.js"]}`,
		"shells.json": `{
			"en":{"/":"<h1>Your turn</h1><details class=\"language-menu\"><a>हिन्दी</a></details>!"},
			"hi":{"/":"<h1>आपकी बारी</h1><b>[[service0]]</b>"}}`,
		"languages.json": `{"hi":{
			"script":"/assets/hi.js","staff":["/assets/hi-antd.js","/assets/pa.js"],"dashboard":["/assets/hi-staff.js"],
			"staffLogin":"कर्मचारी लॉगिन"}}`,
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server, err := New(root, example, base)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func TestAPageIsInTheLanguageOfTheReader(t *testing.T) {
	server := translatedServer(t, "")
	for _, c := range []struct{ what, path, cookie, accept, want string }{
		{"without a preference", "/", "", "", "en-IN"},
		{"by the browser", "/", "", "hi-IN,hi;q=0.9,en;q=0.8", "hi"},
		{"by weight, not by order", "/", "", "en;q=0.4, hi;q=0.7", "hi"},
		{"of a browser in another language", "/", "", "gu, fr;q=0.9", "en-IN"},
		{"of a language that the build lacks", "/", "", "kn, hi;q=0.5", "hi"},
		{"of a malformed header", "/", "", ";;hi=", "en-IN"},
		{"by the cookie", "/", "hi", "en", "hi"},
		{"by an invalid cookie", "/", "<script>", "hi", "hi"},
		{"by the link", "/?lang=hi", "en", "en", "hi"},
		{"by a link to English", "/login?lang=en", "hi", "hi", "en-IN"},
		{"by an invalid link", "/?lang=xx", "hi", "en", "hi"},
		{"of a screen of the staff", "/dashboard/pa", "hi", "", "hi"},
	} {
		headers := []string{"Accept-Language", c.accept}
		if c.cookie != "" {
			headers = append(headers, "Cookie", "other=1; baari_lang="+c.cookie)
		}
		got := ask(server, http.MethodGet, c.path, headers...)
		if tag := got.Header().Get("Content-Language"); tag != c.want ||
			!strings.Contains(got.Body.String(), `<html lang="`+c.want+`"`) {
			t.Errorf("a page %s is in %s, want %s", c.what, tag, c.want)
		}
		if got.Header().Get("Vary") != "Accept-Encoding, Cookie, Accept-Language" {
			t.Errorf("a page %s varies by %s", c.what, got.Header().Get("Vary"))
		}
	}
}

func TestAPageHasTheNoticeOfItsLanguage(t *testing.T) {
	server := translatedServer(t, "")
	for language, want := range map[string]bool{"hi": true, "en": false} {
		page := ask(server, http.MethodGet, "/", "Cookie", "baari_lang="+language).Body.String()
		if strings.Contains(page, "आपकी जानकारी का उपयोग") != want || strings.Contains(page, "ನಿಮ್ಮ ವಿವರಗಳ ಬಳಕೆ") {
			t.Errorf("the page in %s: %s", language, page)
		}
	}
}

func TestAPageHasTheNamesOfServicesInItsLanguage(t *testing.T) {
	server := translatedServer(t, "")
	inHindi, inKannada := "आयकर विवरणी दाखिल करना", "ಆದಾಯ ತೆರಿಗೆ ರಿಟರ್ನ್ ಸಲ್ಲಿಕೆ"
	hindi := ask(server, http.MethodGet, "/?lang=hi").Body.String()
	if !strings.Contains(hindi, "<b>"+inHindi+"</b>") || strings.Contains(hindi, inKannada) {
		t.Errorf("the page in Hindi: %s", hindi)
	}
	english := ask(server, http.MethodGet, "/?lang=en").Body.String()
	if strings.Contains(english, inHindi) || strings.Contains(english, inKannada) {
		t.Errorf("the page in English: %s", english)
	}
}

func TestALinkKeepsTheLanguageInACookie(t *testing.T) {
	for base, secure := range map[string]string{"": "", "https://office.example": "; Secure"} {
		server := translatedServer(t, base)
		want := "baari_lang=hi; Path=/; Max-Age=31536000" + secure + "; SameSite=Lax"
		if got := ask(server, http.MethodGet, "/?lang=hi").Header().Get("Set-Cookie"); got != want {
			t.Errorf("base %q: %s, want %s", base, got, want)
		}
		for _, path := range []string{"/", "/?lang=kn", "/?lang=%0Ahi"} {
			if got := ask(server, http.MethodGet, path, "Accept-Language", "hi").Header().Get("Set-Cookie"); got != "" {
				t.Errorf("%s sets %s", path, got)
			}
		}
	}
}

// The script of a language sets the texts that the application reads when it starts.
func TestTheScriptOfALanguageRunsBeforeTheApplication(t *testing.T) {
	server := translatedServer(t, "")
	landing := ask(server, http.MethodGet, "/?lang=hi").Body.String()
	for _, want := range []string{
		`data-modules="/assets/hi.js /assets/landing.js /assets/index-1.js"`, "<h1>आपकी बारी</h1>",
		`property="og:locale" content="hi_IN"`,
	} {
		if !strings.Contains(landing, want) {
			t.Errorf("the landing page has no %s:\n%s", want, landing)
		}
	}
	if strings.Contains(landing, "hi-staff") || strings.Contains(landing, "hi-antd") {
		t.Error("the landing page loads the modules of the staff's screens")
	}
	staff := ask(server, http.MethodGet, "/dashboard/pa?lang=hi").Body.String()
	script := strings.Index(staff, `<script type="module" crossorigin src="/assets/hi.js"></script>`)
	entry := strings.Index(staff, `<script type="module" src="/assets/index-1.js">`)
	if script < 0 || entry < script ||
		!strings.Contains(staff, `<link rel="modulepreload" crossorigin href="/assets/hi-antd.js">`) ||
		!strings.Contains(staff, `<link rel="modulepreload" crossorigin href="/assets/hi-staff.js">`) {
		t.Errorf("a screen of the staff:\n%s", staff)
	}
	if strings.Count(staff, "/assets/pa.js") != 1 {
		t.Errorf("a module of the screen and of the language is named twice:\n%s", staff)
	}
	signIn := ask(server, http.MethodGet, "/login?lang=hi").Body.String()
	if !strings.Contains(signIn, "<title>कर्मचारी लॉगिन: Lekha") {
		t.Errorf("the title of the sign-in page:\n%s", signIn)
	}
	if !strings.Contains(signIn, "hi-antd") || strings.Contains(signIn, "hi-staff") {
		t.Errorf("the sign-in page loads Ant Design's texts and none of the dashboards:\n%s", signIn)
	}
	for _, path := range []string{"/", "/dashboard/pa"} {
		if body := ask(server, http.MethodGet, path).Body.String(); strings.Contains(body, "/assets/hi") {
			t.Errorf("%s loads Hindi for a reader of English:\n%s", path, body)
		}
	}
	got := ask(server, http.MethodGet, "/languages.json", "Accept", "application/json")
	if got.Code != http.StatusNotFound {
		t.Errorf("the note itself: %d", got.Code)
	}
}

func TestAShellHasTheMenuOfLanguagesOnlyIfThereIsAChoice(t *testing.T) {
	server := translatedServer(t, "")
	if body := ask(server, http.MethodGet, "/").Body.String(); !strings.Contains(body, "language-menu") {
		t.Errorf("no menu of two languages:\n%s", body)
	}
	name := filepath.Join(t.TempDir(), "office.json")
	officeFile(t, name, `"languages": ["en", "hi", "kn"]`, `"languages": ["en", "kn"]`)
	server.officeFile = name
	if err := server.Reload(); err != nil {
		t.Fatal(err)
	}
	if body := ask(server, http.MethodGet, "/").Body.String(); !strings.Contains(body, "<h1>Your turn</h1>!") {
		t.Errorf("a menu of one language, because the build has no Kannada:\n%s", body)
	}
}
