// Package webserver serves the built web application: files precompressed, index.html with a new nonce, the CSP and the
// office's head tags in every answer, and the error pages that Traefik shows.
package webserver

import (
	"net/http"
	"path"
	"strconv"
	"strings"

	"baari.dev/gateway"
	"baari.dev/gateway/answer"
)

// ErrorPages is the path under which the JSON of each status stands; no gateway lets a browser ask for it.
const ErrorPages = "/__errors/"

// Server answers every path that is not a service's.
type Server struct {
	files files
	page  *page
}

// New reads the built web from root and the office from officeFile. base is the public address, or "" when it is not
// known; then nothing is said that needs it. It returns an error for a root without index.html and for an office
// document with an unknown key or a bad value, naming the key.
func New(root, officeFile, base string) (*Server, error) {
	office, document, err := readOffice(officeFile)
	if err != nil {
		return nil, err
	}
	found, index, err := readFiles(root)
	if err != nil {
		return nil, err
	}
	page, err := newPage(index, office, base)
	if err != nil {
		return nil, err
	}
	found.add("/office.json", document, "public, max-age=60")
	found.add("/robots.txt", robots(base), revalidate)
	if base != "" {
		found.add("/sitemap.xml", sitemap(base), revalidate)
	}
	return &Server{found, page}, nil
}

// ServeHTTP answers a file, the application's page for a browser that opens a screen, or 404 as JSON.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if status, ok := strings.CutPrefix(r.URL.Path, ErrorPages); ok {
		serveError(w, r, status)
		return
	}
	file, found := s.files[r.URL.Path]
	switch {
	case gateway.IsReserved(r.URL.Path):
		fail(w, r, http.StatusNotFound)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, r, http.StatusMethodNotAllowed)
	case found:
		w.Header().Set(answer.RequestIDHeader, answer.RequestID(r))
		file.serve(w, r)
	case isNavigation(r):
		w.Header().Set(answer.RequestIDHeader, answer.RequestID(r))
		s.page.serve(w, r)
	default:
		fail(w, r, http.StatusNotFound)
	}
}

// isNavigation tells a screen from a file that is missing: screens have no ending, and the browser wants HTML.
func isNavigation(r *http.Request) bool {
	if strings.HasPrefix(r.URL.Path, assets) || path.Ext(r.URL.Path) != "" {
		return false
	}
	accept := r.Header.Get("Accept")
	return accept == "" || strings.Contains(accept, "text/html") || strings.Contains(accept, "*/*")
}

func serveError(w http.ResponseWriter, r *http.Request, text string) {
	status, err := strconv.Atoi(text)
	if err != nil || !answer.Known(status) {
		status = http.StatusNotFound
	}
	fail(w, r, status)
}

func fail(w http.ResponseWriter, r *http.Request, status int) {
	answer.Error(w, answer.RequestID(r), status)
}
