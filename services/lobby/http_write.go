package lobby

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"baari.dev/services/lobby/page"
)

// Responses for visitors are compressed here, because the gateway does not compress and a phone may have 35 kbit/s.

func writePage(w http.ResponseWriter, r *http.Request, status int, body []byte, style string) error {
	header := w.Header()
	header.Set("Content-Security-Policy", page.Policy(style))
	header.Set("Referrer-Policy", "same-origin") // no-referrer would make forms send the header Origin: null
	header.Set("X-Robots-Tag", "noindex")
	return writeText(w, r, status, "text/html", body)
}

func writeText(w http.ResponseWriter, r *http.Request, status int, kind string, body []byte) error {
	header := w.Header()
	header.Set("Content-Type", kind+"; charset=utf-8")
	header.Set("Vary", "Accept-Encoding")
	if acceptsGzip(r.Header.Get("Accept-Encoding")) {
		header.Set("Content-Encoding", "gzip")
		body = zipped(body)
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}

func acceptsGzip(header string) bool {
	for item := range strings.SplitSeq(header, ",") {
		name, weight, weighted := strings.Cut(item, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		return !weighted || err == nil && q > 0
	}
	return false
}

// zippers are reused, because creating a zipper costs more than compressing a page.
var zippers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func zipped(text []byte) []byte {
	var out bytes.Buffer
	zipper, _ := zippers.Get().(*gzip.Writer) // the pool has only gzip writers
	zipper.Reset(&out)
	_, _ = zipper.Write(text) // a write to a bytes.Buffer does not fail
	_ = zipper.Close()
	zippers.Put(zipper)
	return out.Bytes()
}
