package system

import (
	"fmt"
	"net/http"
	"testing"
)

// All phones in the office's Wi-Fi have one address. When one of them has tried too many wrong links and is rejected,
// the others can still open their pages, the page for requests of a token, and the notice.
func TestTriedLinksCloseNoPageOfTheirAddress(t *testing.T) {
	system, err := limited()
	if err != nil {
		t.Fatal(err)
	}
	front := &office{way: ways(system)[0], admin: staff(t, system, "admin")[0]}
	front.serviceID, _ = front.addService(t)
	through := gateways(t, system, "links", "LIMITS=on", "TRUSTED_PROXIES=127.0.0.0/8", "TRUSTED_PROXY_HOPS=1")
	for n, w := range through {
		t.Run(w.name, func(t *testing.T) {
			code := front.codeOfPage(t)
			wifi := http.Header{"X-Forwarded-For": {fmt.Sprintf("198.19.0.%d", n+1)}}
			open := func(path string) int {
				t.Helper()
				return w.send(t, nil, ask{method: http.MethodGet, path: path, header: wifi}).status
			}
			refused := 0
			for try := range 120 {
				switch status := open(fmt.Sprintf("/q/%020d", try)); status {
				case http.StatusNotFound:
				case http.StatusTooManyRequests:
					refused++
				default:
					t.Fatalf("a wrong link answered %d", status)
				}
			}
			if refused == 0 {
				t.Error("120 wrong links of one address were all looked for")
			}
			for range 3 {
				for _, path := range []string{"/q/" + code, "/q/" + code + "/state", "/q/join", "/q/notice"} {
					if status := open(path); status != http.StatusOK {
						t.Errorf("%s answered %d after the wrong links", path, status)
					}
				}
			}
		})
	}
}
