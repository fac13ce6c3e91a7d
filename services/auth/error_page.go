package auth

import (
	_ "embed"
	"html/template"
	"net/http"
	"regexp"
)

//go:embed error.html
var errorHTML string

var (
	errorPage = template.Must(template.New("error.html").Parse(errorHTML))
	errorCode = regexp.MustCompile(`^['A-Za-z0-9_-]{1,64}$`)
)

// serveErrorPage is where a link of a mail leads that says no page of its own.
func serveErrorPage(w http.ResponseWriter, r *http.Request) error {
	code := r.URL.Query().Get("error")
	if !errorCode.MatchString(code) {
		code = "UNKNOWN"
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
	return errorPage.Execute(w, code)
}
