package webserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// assets is the folder of files whose names contain a hash of their content.
const assets = "/assets/"

const (
	immutable  = "public, max-age=31536000, immutable"
	revalidate = "no-cache"
)

// encodings are the encodings of precompressed files with their file extensions, the smallest first.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// types are content types that Go does not know, or would read from files of the machine.
var types = map[string]string{
	".js": "text/javascript; charset=utf-8", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json",
	".txt": "text/plain; charset=utf-8", ".ico": "image/x-icon", ".map": "application/json", ".xml": "application/xml",
}

// files has every served file, keyed by path.
type files map[string]*file

// file is one file in memory, with its compressed forms by encoding; "" is the uncompressed one.
type file struct {
	forms       map[string][]byte
	etag        string
	contentType string
	cache       string
	policy      string // CSP of a page; "" for other files
}

// readFiles reads the built web from root, except hidden files, which are the build's own notes. It returns index.html
// separately, because it is modified before it is served.
func readFiles(root string) (files, []byte, error) {
	folder := os.DirFS(root)
	index, err := fs.ReadFile(folder, "index.html")
	if err != nil {
		return nil, nil, fmt.Errorf("WEB_ROOT holds no built web (index.html): %w", err)
	}
	found := files{}
	err = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && name != "." && strings.HasPrefix(entry.Name(), ".") {
			return skip(entry)
		}
		if err != nil || entry.IsDir() || compressed(name) || name == "index.html" {
			return err
		}
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		cache := revalidate
		if strings.HasPrefix("/"+name, assets) {
			cache = immutable
		}
		return found.add("/"+name, content, cache).addForms(folder, name)
	})
	return found, index, err
}

func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func compressed(name string) bool {
	return strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz")
}

func (f files) add(at string, content []byte, cache string) *file {
	f[at] = newFile(at, content, cache)
	return f[at]
}

func newFile(at string, content []byte, cache string) *file {
	sum := sha256.Sum256(content)
	contentType := types[path.Ext(at)]
	if contentType == "" {
		contentType = mime.TypeByExtension(path.Ext(at))
	}
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	etag := base64.RawURLEncoding.EncodeToString(sum[:12])
	return &file{forms: map[string][]byte{"": content}, etag: etag, contentType: contentType, cache: cache}
}

// needsPath is a file of the build that only this server reads. It lists the files that each screen needs besides those
// of index.html.
const needsPath = "/needs.json"

// take decodes a file of the build that is meant for this server, and removes it from the served files. It does nothing
// if the file is missing.
func (f files) take(at string, into any) error {
	note, found := f[at]
	if !found {
		return nil
	}
	delete(f, at)
	if err := json.Unmarshal(note.forms[""], into); err != nil {
		return fmt.Errorf("WEB_ROOT: %s: %w", at[1:], err)
	}
	return nil
}

// boardPath is the page of the waiting room's screens. It is the same for every office and has no inline styles, so it
// needs no nonce, and a service worker can keep it together with its policy.
const boardPath = "/board"

const boardPolicy = "default-src 'self'; img-src 'self' data:; worker-src 'self'; frame-ancestors 'none'; " +
	"base-uri 'none'; form-action 'self'; object-src 'none'"

func (f files) moveBoard() {
	page, built := f[boardPath+".html"]
	if !built {
		return
	}
	delete(f, boardPath+".html")
	page.policy = boardPolicy
	f[boardPath] = page
}

func (f *file) addForms(folder fs.FS, name string) error {
	for _, encoding := range encodings {
		content, err := fs.ReadFile(folder, name+encoding.ending)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		f.forms[encoding.name] = content
	}
	return nil
}

// serve sends the smallest form that the browser accepts.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.contentType)
	header.Set("Cache-Control", f.cache)
	if f.policy != "" {
		header.Set("Content-Security-Policy", f.policy)
		header.Set("X-Robots-Tag", "noindex")
	}
	encoding := ""
	if len(f.forms) > 1 {
		header.Set("Vary", "Accept-Encoding")
		encoding = f.choose(r.Header.Get("Accept-Encoding"))
	}
	etag := f.etag
	if encoding != "" {
		header.Set("Content-Encoding", encoding)
		etag += "-" + encoding
	}
	header.Set("ETag", strconv.Quote(etag))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.forms[encoding]))
}

func (f *file) choose(accept string) string {
	for _, encoding := range encodings {
		if f.forms[encoding.name] != nil && accepts(accept, encoding.name) {
			return encoding.name
		}
	}
	return ""
}

// accepts reports whether Accept-Encoding names the encoding with a weight other than zero. "*" does not name any.
func accepts(header, encoding string) bool {
	for item := range strings.SplitSeq(header, ",") {
		name, weight, weighted := strings.Cut(item, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		return !weighted || (err == nil && q > 0)
	}
	return false
}
