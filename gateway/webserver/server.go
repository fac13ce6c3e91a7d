// Package webserver serves the built web application: precompressed files, index.html with the office's head tags, a
// CSP and a new nonce in each response, and the error responses of Traefik.
//
// Start with Server.ServeHTTP in this file; files.go serves files, page.go the page.
package webserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"baari.dev/gateway"
	"baari.dev/gateway/answer"
	"baari.dev/services/office"
)

// ErrorPages is the path prefix of the JSON error responses by status. The gateways forward no client's request for it.
const ErrorPages = "/__errors/"

// Server is the handler of every path that does not belong to a service.
type Server struct {
	officeFile, base string

	built built
	files files
	shown atomic.Pointer[shown]

	version atomic.Int64 // version of the shown document; 0: it is a file

	replacing sync.Mutex // held from the decision to show a document until it is shown
	followed  bool       // a document of directory was shown; the file is not used any more
}

// built has the page and its parts as the build wrote them.
type built struct {
	index     []byte
	needs     map[string][]string          // files of each screen, by path
	shells    map[string]map[string]string // HTML shown until the scripts have run, by language and path
	languages map[string]translation
}

// shown is everything derived from the office document. All of it is replaced at once.
type shown struct {
	office   office.Document
	document *file
	offered  []string         // languages, the default first
	pages    map[string]pages // keyed by language
}

// officePath is the path of the office document.
const officePath = "/office.json"

// New reads the built web from root and the office document from officeFile. base is the public address; if it is "",
// pages have no canonical address and there is no sitemap. New returns an error for a root without index.html and for
// an invalid office document.
func New(root, officeFile, base string) (*Server, error) {
	document, err := office.ReadFile(officeFile)
	if err != nil {
		return nil, err
	}
	s := &Server{officeFile: officeFile, base: base}
	if s.files, s.built.index, err = readFiles(root); err != nil {
		return nil, err
	}
	err = errors.Join(s.files.take(needsPath, &s.built.needs), s.files.take(shellsPath, &s.built.shells),
		s.files.take(languagesPath, &s.built.languages))
	if err != nil {
		return nil, err
	}
	s.files.moveBoard()
	s.files.add("/robots.txt", robots(base), revalidate)
	if base != "" {
		s.files.add("/sitemap.xml", sitemap(base), revalidate)
	}
	return s, s.show(document.Public(0))
}

// Reload reads the office file again, unless the server shows a document of directory. It returns an error and keeps
// the current document if the file is invalid or names another time zone.
func (s *Server) Reload() error {
	document, err := office.ReadFile(s.officeFile)
	if err != nil {
		return err
	}
	s.replacing.Lock()
	defer s.replacing.Unlock()
	if s.followed {
		return nil
	}
	if err := s.checkZone(document); err != nil {
		return fmt.Errorf("OFFICE_FILE: %w", err)
	}
	return s.show(document.Public(0))
}

// checkZone returns an error for a document with another time zone, because the services read the zone only at their
// start.
func (s *Server) checkZone(document office.Document) error {
	if zone := s.shown.Load().office.TimeZone; document.TimeZone != zone {
		return fmt.Errorf("key /timeZone: the zone %s cannot change while the services run", zone)
	}
	return nil
}

func (s *Server) show(document office.Public) error {
	document.Document = document.WithoutDocuments()
	offered, all := s.built.offered(document.Document), map[string]pages{}
	for _, name := range offered {
		var err error
		if all[name], err = newPages(s.built, document, s.base, name); err != nil {
			return err
		}
	}
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	s.shown.Store(&shown{document.Document, newFile(officePath, text, "public, max-age=60"), offered, all})
	return nil
}

// ServeHTTP sends a file, the application's page for a browser that opens a screen, or an error as JSON.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if status, ok := strings.CutPrefix(r.URL.Path, ErrorPages); ok {
		serveError(w, r, status)
		return
	}
	now := s.shown.Load()
	file, found := s.files[r.URL.Path]
	if r.URL.Path == officePath {
		file, found = now.document, true
	}
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
		name := chosenLanguage(r, now.offered)
		s.keepLanguage(w, r, now.offered)
		w.Header().Set("Content-Language", languageTag(name))
		now.pages[name].serve(w, r)
	default:
		fail(w, r, http.StatusNotFound)
	}
}

// isNavigation reports whether r opens a screen, not a missing file: the path has no extension and HTML is accepted.
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
