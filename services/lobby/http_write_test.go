package lobby

import (
	"compress/gzip"
	"io"
	"net/http"
	"testing"

	"baari.dev/services/lobby/page"
)

// Each page and script for visitors is compressed and fits its budget of bytes.
func TestWhatAVisitorReadsIsCompressed(t *testing.T) {
	p := newPorch(t)
	id := p.arrive()
	for path, most := range map[string]int{
		"/q/" + codeOf(id) + "?lang=kn": 6 << 10, "/q/" + codeOf(id) + "/data?lang=ta": 6 << 10, "/q/join?lang=te": 6 << 10,
		page.ScriptPath: 2 << 10, "/q/notice": 6 << 10, "/q/00000000000000000000": 6 << 10, "/q/push-worker.js": 4 << 10,
	} {
		w := p.get(path, "Accept-Encoding", "br, GZIP;q=0.8")
		if w.Header().Get("Content-Encoding") != "gzip" || w.Header().Get("Vary") != "Accept-Encoding" ||
			w.Body.Len() > most {
			t.Errorf("%s has %d bytes, %v", path, w.Body.Len(), w.Header())
			continue
		}
		reader, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reader)
		plain := p.get(path, "Accept-Encoding", "gzip;q=0, br")
		if err != nil || plain.Header().Get("Content-Encoding") != "" || plain.Code == http.StatusOK &&
			len(text) != plain.Body.Len() {
			t.Errorf("%s: %d bytes, uncompressed %d: %v", path, len(text), plain.Body.Len(), err)
		}
	}
}
