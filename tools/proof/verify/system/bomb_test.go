package system

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// T10: a body must be small and a single object, without deep nesting or duplicate keys.
func TestBodiesOverTheLimitsAreRejected(t *testing.T) {
	for _, w := range ways(running) {
		o := newOffice(t, w)
		valid := `{"name":"Asha Nair","phone":"9845012345","service_id":"` + o.serviceID + `"`
		for name, c := range map[string]struct {
			body, kind string
			want       int
		}{
			"64 KiB and a byte": {
				valid + `,"x":"` + strings.Repeat("a", 64<<10-len(valid)-7) + `"}`, "application/json",
				http.StatusRequestEntityTooLarge,
			},
			"64 KiB": {
				valid + `,"x":"` + strings.Repeat("a", 64<<10-len(valid)-8) + `"}`, "application/json", http.StatusCreated,
			},
			"10,001 levels": {
				valid + `,"x":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + `}`, "application/json",
				http.StatusBadRequest,
			},
			"a key twice": {valid + `,"name":"Another"}`, "application/json", http.StatusBadRequest},
			"two objects": {valid + `}{}`, "application/json", http.StatusBadRequest},
			"a list":      {`[` + valid + `}]`, "application/json", http.StatusBadRequest},
			"a form": {
				"name=Asha&phone=9845012345", "application/x-www-form-urlencoded", http.StatusUnsupportedMediaType,
			},
			"text":           {valid + `}`, "text/plain", http.StatusUnsupportedMediaType},
			"no kind at all": {valid + `}`, "", http.StatusUnsupportedMediaType},
		} {
			got := w.send(t, o.shared["reception"][0], ask{
				method: "POST", path: "/api/visits", body: []byte(c.body), header: http.Header{"Content-Type": {c.kind}},
			})
			if got.status != c.want {
				t.Errorf("%s through %s: %d %.100s, want %d", name, w.name, got.status, got.body, c.want)
			}
		}
	}
}

// T10: a hundred concurrent bodies of nine megabytes are not read into memory.
func TestAHundredLargeBodiesDoNotIncreaseMemory(t *testing.T) {
	o := newOffice(t, ways(running)[1])
	bomb := append(bytes.Repeat([]byte("{},"), 3<<20), '{', '}')
	before := memory(t)
	var sending sync.WaitGroup
	for range 100 {
		sending.Go(func() {
			got, err := o.way.try(o.shared["reception"][0], ask{method: "POST", path: "/api/visits", body: bomb})
			// A server that closes the connection before its answer is read has rejected the body as well.
			if err == nil && got.status != http.StatusRequestEntityTooLarge && got.status < 400 {
				t.Errorf("%d %.100s", got.status, got.body)
			}
		})
	}
	sending.Wait()
	for name, kilobytes := range memory(t) {
		if grown := kilobytes - before[name]; grown > 32<<10 {
			t.Errorf("%s grew by %d kB", name, grown)
		}
	}
	if got := o.way.send(t, o.shared["reception"][0], ask{
		method: "GET", path: "/api/visits/today",
	}); got.status != http.StatusOK {
		t.Errorf("afterwards: %d", got.status)
	}
}
