package webserver

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"baari.dev/gateway"
	"baari.dev/services/platform/testkit"
)

// directory answers GET /api/office as the service does.
type directory struct {
	mu      sync.Mutex
	text    string
	etag    string
	away    bool
	answers map[int]int // number of answers by status
}

func (d *directory) set(t *testing.T, version int, from, to string) {
	t.Helper()
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), from, to, 1)
	if from != to && changed == string(text) {
		t.Fatalf("%s is not in the example", from)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.etag = `"` + strconv.Itoa(version) + `"`
	d.text = `{"version":` + strconv.Itoa(version) + `,"later":true,` + strings.TrimPrefix(strings.TrimSpace(changed), "{")
}

func (d *directory) leave(away bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.away = away
}

func (d *directory) answered(status int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.answers[status]
}

func (d *directory) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	status := http.StatusOK
	switch {
	case d.away || r.URL.Path != officeCall:
		status = http.StatusServiceUnavailable
	case r.Header.Get("If-None-Match") == d.etag:
		status = http.StatusNotModified
	}
	if d.answers == nil {
		d.answers = map[int]int{}
	}
	d.answers[status]++
	w.Header().Set("ETag", d.etag)
	w.WriteHeader(status)
	if status == http.StatusOK {
		_, _ = io.WriteString(w, d.text)
	}
}

// A change of the office document at directory is shown without a restart and without a file. While directory is
// unavailable the last document stays, and a reload of the file does not replace it.
func TestTheOfficeOfDirectoryIsShown(t *testing.T) {
	d := &directory{}
	d.set(t, 1, "", "")
	origin := httptest.NewServer(d)
	t.Cleanup(origin.Close)
	server := newServer(t)
	f, err := newFollower(server, origin.URL+officeCall, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	shows := func(text string) bool {
		return strings.Contains(ask(server, http.MethodGet, "/").Body.String(), "<title>"+text+",")
	}
	if f.ready(t.Context()) == nil {
		t.Error("it is ready before the first response")
	}
	testkit.Background(t, f.run)
	testkit.Eventually(t, "the first version", func() bool {
		return server.version.Load() == 1 && f.ready(t.Context()) == nil
	})
	testkit.Eventually(t, "an unchanged document is not sent again", func() bool { return d.answered(304) > 0 })

	d.set(t, 2, `"brand": "Lekha Tax & Advisory"`, `"brand": "Hisab"`)
	testkit.Eventually(t, "the second version", func() bool { return server.version.Load() == 2 })
	if !shows("Hisab") {
		t.Error("the page shows the office as it was")
	}
	text := ask(server, http.MethodGet, "/office.json").Body.String()
	for _, want := range []string{`"brand":"Hisab"`, `"daysAhead":365`} { // the previous release does not send the second
		if !strings.Contains(text, want) {
			t.Errorf("without %s the document is %s", want, text)
		}
	}
	d.leave(true)
	testkit.Eventually(t, "directory is unavailable", func() bool { return d.answered(503) > 0 })
	if err := server.Reload(); err != nil || !shows("Hisab") {
		t.Errorf("the file replaces the document of directory: %v", err)
	}
	d.set(t, 3, `"Asia/Kolkata"`, `"Europe/Berlin"`)
	d.leave(false)
	served := d.answered(200)
	testkit.Eventually(t, "the third version is sent", func() bool { return d.answered(200) > served+1 })
	if server.version.Load() != 2 || !shows("Hisab") {
		t.Error("a document of another time zone is shown")
	}
}

// During an upgrade, replicas of the previous release send a document without a version. It does not replace one with a
// version. A lower version does, because directory may have been restored.
func TestADocumentWithoutAVersionReplacesNoVersion(t *testing.T) {
	server := newServer(t)
	d := &directory{}
	for _, step := range []struct {
		sent, shown int
		brand, want string
	}{{0, 0, "Hisab", "Hisab"}, {3, 3, "Lekha", "Lekha"}, {0, 3, "Hisab", "Lekha"}, {2, 2, "Nidhi", "Nidhi"}} {
		d.set(t, step.sent, `"brand": "Lekha Tax & Advisory"`, `"brand": "`+step.brand+`"`)
		if err := server.publish([]byte(d.text)); err != nil {
			t.Fatal(err)
		}
		page := ask(server, http.MethodGet, "/").Body.String()
		if !strings.Contains(page, "<title>"+step.want+",") || server.version.Load() != int64(step.shown) {
			t.Errorf("after version %d it shows version %d", step.sent, server.version.Load())
		}
	}
}

// A file that is loaded again while the first document of directory arrives does not replace it.
func TestAReloadDoesNotReplaceTheOfficeOfDirectory(t *testing.T) {
	d := &directory{}
	d.set(t, 1, `"brand": "Lekha Tax & Advisory"`, `"brand": "Hisab"`)
	for range 20 {
		server := newServer(t)
		var reloads sync.WaitGroup
		for range 3 {
			reloads.Go(func() {
				if err := server.Reload(); err != nil {
					t.Error(err)
				}
			})
		}
		if err := server.publish([]byte(d.text)); err != nil {
			t.Fatal(err)
		}
		reloads.Wait()
		if !strings.Contains(ask(server, http.MethodGet, "/").Body.String(), "<title>Hisab,") {
			t.Fatal("the file replaces the document of directory")
		}
	}
}

// A server that cannot reach directory is ready five seconds after its start, with the document of the file.
func TestWithoutDirectoryTheFileIsServed(t *testing.T) {
	server := newServer(t)
	synctest.Test(t, func(t *testing.T) {
		f, err := newFollower(server, "http://directory"+officeCall, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		f.client.Transport = unreachable{}
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		began := time.Now()
		go func() { _ = f.run(ctx) }()
		for f.ready(ctx) != nil {
			<-time.After(officeSoon)
		}
		if waited := time.Since(began); waited < officePatient || waited > officePatient+officeSoon {
			t.Errorf("it was ready after %s", waited)
		}
		if page := ask(server, http.MethodGet, "/").Body.String(); !strings.Contains(page, "<title>Lekha Tax") {
			t.Error("it does not serve the document of the file")
		}
	})
}

// unreachable is a network in which no request is answered.
type unreachable struct{}

func (unreachable) RoundTrip(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }

// OFFICE_URL is the address of directory's call. The default is that of a directory in the same process.
func TestTheAddressOfTheOffice(t *testing.T) {
	var local gateway.Origin
	if err := local.UnmarshalText([]byte("http://127.0.0.1:8103")); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]config{
		"":                                 {},
		"http://127.0.0.1:8103/api/office": {Directory: local},
		"http://directory:8080/api/office": {Directory: local, OfficeURL: "http://directory:8080/api/office"},
	} {
		if got := c.officeURL(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, wrong := range []string{"directory:8080", "ftp://directory/api/office", "/api/office"} {
		if _, err := newFollower(nil, wrong, nil); err == nil || !strings.Contains(err.Error(), "OFFICE_URL") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
