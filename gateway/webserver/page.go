package webserver

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// nonceMark stands in the built index.html wherever the nonce of an answer goes.
const nonceMark = "__CSP_NONCE__"

// headMark is where the office's head tags go.
const headMark = "<!-- office-head -->"

// replaced are the tags of the built index.html that the office's take the place of.
var replaced = regexp.MustCompile(`(?is)<title>.*?</title>|<meta\s+name="description"[^>]*>`)

// page is index.html, cut where the nonce goes: for the landing page, which search engines may show, and for the screens
// behind it, which they may not.
type page struct{ public, private []string }

func newPage(index []byte, office Office, base string) (*page, error) {
	text := replaced.ReplaceAllString(string(index), "")
	if !strings.Contains(text, nonceMark) {
		return nil, fmt.Errorf("index.html has no %s: without a nonce the browser refuses its styles", nonceMark)
	}
	if !strings.Contains(text, headMark) {
		text = strings.Replace(text, "</head>", headMark+"</head>", 1)
	}
	if !strings.Contains(text, headMark) {
		return nil, errors.New("index.html has no </head>")
	}
	fill := func(public bool) ([]string, error) {
		head, err := headTags(office, base, public)
		return strings.Split(strings.Replace(text, headMark, head, 1), nonceMark), err
	}
	public, err := fill(true)
	private, privateErr := fill(false)
	return &page{public, private}, errors.Join(err, privateErr)
}

// serve answers the page with a nonce that no other answer has.
func (p *page) serve(w http.ResponseWriter, r *http.Request) {
	nonce, pieces := rand.Text(), p.public
	header := w.Header()
	if r.URL.Path != "/" {
		pieces = p.private
		header.Set("X-Robots-Tag", "noindex")
	}
	body := strings.Join(pieces, nonce)
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("Cache-Control", "no-cache")
	header.Set("Content-Security-Policy", policy(nonce))
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, body) // the browser may have left
	}
}

// policy lets only the application's own files run; the nonce is for the styles that Ant Design writes at run time.
func policy(nonce string) string {
	return "default-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self' 'nonce-" + nonce + "'; " +
		"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
}
