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

	"baari.dev/services/office"
)

// nonceMark is the placeholder of the nonce in the built index.html.
const nonceMark = "__CSP_NONCE__"

// headMark is the placeholder of the office's head tags.
const headMark = "<!-- office-head -->"

// replaced matches the tags of the built index.html that the office's tags replace.
var replaced = regexp.MustCompile(`(?is)<title>.*?</title>|<meta\s+name="description"[^>]*>` +
	`|<script type="application/json" id="office"[^>]*>.*?</script>`)

// pages has index.html for each path with a head of its own, as the pieces between which the nonce is inserted.
type pages map[string][]string

// otherPath is the key of the page for all other screens.
const otherPath = ""

var htmlLanguage = regexp.MustCompile(`<html lang="[^"]*"`)

// newPages returns the built index.html in a language, with the office's tags, for each path.
func newPages(built built, document office.Public, base, language string) (pages, error) {
	text := replaced.ReplaceAllString(string(built.index), "")
	text = htmlLanguage.ReplaceAllString(text, `<html lang="`+languageTag(language)+`"`)
	translation := built.languages[language]
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
	paths := slices.Concat([]string{landingPath, signInPath, otherPath}, slices.Collect(maps.Keys(built.needs)))
	for _, path := range paths {
		page, needs := text, built.needs[path]
		if path != landingPath {
			needs = withMissing(needs, translation.Staff)
		}
		if strings.HasPrefix(path, dashboardPath) {
			needs = withMissing(needs, translation.Dashboard)
		}
		script := translation.Script
		if shell, drawn := built.shells[language][path]; drawn {
			var modules []string
			modules, needs = splitModules(needs)
			shell = filled(shell, document.Document, language)
			page = withShell(page, shell, script, len(built.offered(document.Document)) > 1, modules)
			script = ""
		}
		shown := document
		shown.Document = document.In(language)
		head, err := headTags(shown, headOf{base, path, language, script, needs, translation.StaffLogin})
		if err != nil {
			return nil, err
		}
		all[path] = strings.Split(strings.Replace(page, headMark, head, 1), nonceMark)
	}
	return all, nil
}

// withMissing returns files followed by the candidates that files does not have.
func withMissing(files, candidates []string) []string {
	all := slices.Clone(files)
	for _, file := range candidates {
		if !slices.Contains(all, file) {
			all = append(all, file)
		}
	}
	return all
}

func splitModules(files []string) (modules, others []string) {
	for _, file := range files {
		if strings.HasSuffix(file, ".js") {
			modules = append(modules, file)
		} else {
			others = append(others, file)
		}
	}
	return modules, others
}

// serve sends the page with a new nonce.
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
	header.Set("Vary", "Accept-Encoding, Cookie, Accept-Language")
	if accepts(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		body = zipped(body)
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the browser may have disconnected
	}
}

// zippers are reused, because a new one costs more than compressing a page.
var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// zipped compresses a page. The only secret of the page is the nonce, which is new in each response, so the compressed
// length reveals nothing.
func zipped(body []byte) []byte {
	var small bytes.Buffer
	zipper := zippers.Get().(*gzip.Writer)
	defer zippers.Put(zipper)
	zipper.Reset(&small)
	_, writeErr := zipper.Write(body)
	if err := errors.Join(writeErr, zipper.Close()); err != nil { // a buffer returns no error
		panic(err)
	}
	return small.Bytes()
}

// policy returns the CSP: only the application's own scripts run; the nonce is for the styles that Ant Design adds.
func policy(nonce string) string {
	return "default-src 'self'; img-src 'self' data:; script-src 'self'; style-src 'self' 'nonce-" + nonce + "'; " +
		"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
}
