package test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"baari.dev/gateway"
	"baari.dev/gateway/test/hostile"
)

// asked has one path of each upstream.
var asked = map[string]string{
	"auth": "/api/auth/get-session", "visits": "/api/visits", "directory": "/api/services",
	"audit":    "/api/analytics/dashboard",
	"realtime": "/api/stream/notify", "lobby": "/q/c0de", gateway.Web: "/",
}

// Requests of one client do not change the responses to another, although both use the same pooled connections.
func TestNoRequestChangesTheResponseOfAnotherClient(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		var sending sync.WaitGroup
		for upstream, path := range asked {
			requests, err := hostile.Requests("../testdata/hostile.tsv", path)
			if err != nil {
				t.Fatal(err)
			}
			alone := e.get(t, path)
			sending.Go(func() {
				for name, text := range requests {
					if err := e.sendOpen(text); err != nil {
						t.Errorf("%s: %v", name, err)
					}
					for range 2 {
						got, err := e.try(call{path: path})
						// ASVS 4.2.1
						if err != nil || got.status != alone.status || got.status >= http.StatusBadRequest {
							t.Errorf("after %s, %s answered another client %d %.80s %v", name, upstream, got.status, got.body, err)
						}
					}
				}
			})
		}
		sending.Wait()
	})
}

// A body with malformed chunks is the client's error: the answer is 400 or 413, and no service failure is counted.
func TestAMalformedChunkedBodyIsAnswered400(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		head := "POST /api/visits HTTP/1.1\r\nHost: office.example\r\n" +
			"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
		for name, chunks := range map[string]string{
			"a size that is no number": "zz\r\n{}\r\n0\r\n\r\n", "a chunk longer than its size": "1\r\nab\r\n0\r\n\r\n",
			"a bare newline":      "2\n{}\n0\n\n",
			"after a large chunk": fmt.Sprintf("%x\r\n%s\r\nzz\r\n", 100_000, strings.Repeat("x", 100_000)),
		} {
			got, err := e.raw(t, head+chunks)
			malformed := strings.HasPrefix(got, "HTTP/1.1 400") && strings.Contains(got, `"code":"bad_body"`)
			// A gateway may reject the large body before it reads the malformed end.
			tooLarge := strings.HasPrefix(got, "HTTP/1.1 413") && strings.Contains(got, `"code":"too_large"`)
			// ASVS 4.2.1
			if err != nil || !malformed && (!tooLarge || name != "after a large chunk") {
				t.Errorf("%s: %v %.300q", name, err, got)
			}
		}
		for line := range strings.Lines(e.metrics(t)) {
			failed := strings.HasPrefix(line, "baari_gateway_upstream_errors_total") && !strings.HasSuffix(line, " 0\n")
			if failed || strings.Contains(line, `code="50`) || strings.Contains(line, `status_code="50`) {
				t.Errorf("counted as a failure: %s", line)
			}
		}
	})
}
