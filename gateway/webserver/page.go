package webserver

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"baari.dev/services/platform/office"
)

// nonceMark stands in the built index.html wherever the nonce of an answer goes.
const nonceMark = "__CSP_NONCE__"

// headMark is where the office's head tags go.
const headMark = "<!-- office-head -->"

// replaced are the tags of the built index.html that the office's take the place of.
var replaced = regexp.MustCompile(`(?is)<title>.*?</title>|<meta\s+name="description"[^>]*>|<script type="application/json" id="office"[^>]*>.*?</script>`)

// pages are index.html for each path with a head of its own, cut where the nonce goes.
type pages map[string][]string

// otherPath stands for every screen that is not named.
const otherPath = ""

// newPages fills the built index.html for each path.
func newPages(built built, document office.Document, base string) (pages, error) {
	text := replaced.ReplaceAllString(string(built.index), "")
	if !strings.Contains(text, nonceMark) {
		return nil, fmt.Errorf("index.html has no %s: without a nonce the browser refuses its styles", nonceMark)
	}
	if !strings.Contains(text, headMark) {
		text = strings.Replace(text, "</head>", headMark+"</head>", 1)
	}
	if !strings.Contains(text, headMark) {
		return nil, errors.New("index.html has no </head>")
	}
	all := pages{}
	for _, path := range slices.Concat([]string{landingPath, signInPath, otherPath}, slices.Collect(maps.Keys(built.needs))) {
		page, needs := text, built.needs[path]
		if shell, drawn := built.shells[path]; drawn {
			modules := slices.DeleteFunc(slices.Clone(needs), func(file string) bool { return !strings.HasSuffix(file, ".js") })
			needs = slices.DeleteFunc(slices.Clone(needs), func(file string) bool { return strings.HasSuffix(file, ".js") })
			page = withShell(page, shell, document, modules)
		}
		head, err := headTags(document, base, path, needs)
		if err != nil {
			return nil, err
		}
		all[path] = strings.Split(strings.Replace(page, headMark, head, 1), nonceMark)
	}
	return all, nil
}

// serve answers the page with a nonce that no other answer has.
func (p pages) serve(w http.ResponseWriter, r *http.Request) {
	nonce := rand.Text()
	pieces, named := p[r.URL.Path]
	if !named {
		pieces = p[otherPath]
	}
	header := w.Header()
	if r.URL.Path != landingPath && r.URL.Path != signInPath {
		header.Set("X-Robots-Tag", "noindex")
	}
	body := []byte(strings.Join(pieces, nonce))
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-cache")
	header.Set("Content-Security-Policy", policy(nonce))
	header.Set("Vary", "Accept-Encoding")
	if accepts(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		body = zipped(body)
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the browser may have left
	}
}

// zippers are kept: a new one costs more than the page it writes.
var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// zipped compresses a page. It holds nothing secret but its nonce, so its length tells nothing.
func zipped(body []byte) []byte {
	var small bytes.Buffer
	zipper := zippers.Get().(*gzip.Writer)
	defer zippers.Put(zipper)
	zipper.Reset(&small)
	_, writeErr := zipper.Write(body)
	if err := errors.Join(writeErr, zipper.Close()); err != nil { // a buffer takes everything
		panic(err)
	}
	return small.Bytes()
}

// policy lets only the application's own files run; the nonce is for the styles that Ant Design writes at run time.
func policy(nonce string) string {
	return "default-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self' 'nonce-" + nonce + "'; " +
		"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
}
