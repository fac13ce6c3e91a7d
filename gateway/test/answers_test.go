package test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"baari.dev/services/platform/testkit"
)

func TestTheStreamForwardsEachEventImmediately(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		for _, path := range []string{"/api/stream", "/api/api/stream"} {
			request, err := http.NewRequest(http.MethodGet, e.base+path+"?role=pa", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Accept-Encoding", "gzip, br")
			res, err := client("").Do(request)
			if err != nil {
				t.Fatal(err)
			}
			events := bufio.NewReader(res.Body)
			if line, err := events.ReadString('\n'); line != "id: 0\n" {
				t.Fatalf("first event: %q %v", line, err)
			}
			e.services.release <- struct{}{} // the stream waits for this before its second event
			rest, err := io.ReadAll(events)
			if err != nil || !strings.Contains(string(rest), "id: 1\n") {
				t.Errorf("rest of the stream: %q %v", rest, err)
			}
			mustBeFixed(t, reply{res.StatusCode, res.Header, ""})
			_ = res.Body.Close()
		}
	})
}

func TestADisconnectOfTheBrowserReachesTheService(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		ended := make(chan struct{})
		res, err := client("").Get(e.base + "/api/stream")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		go func() {
			e.services.servers["realtime"].Close() // Close waits for the in-flight requests
			close(ended)
		}()
		testkit.Receive(t, "the service stops writing to a browser that left", ended)
	})
}

func TestErrorsOfServicesPassUnchanged(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		for _, status := range []string{
			"400", "401", "403", "404", "405", "409", "412", "413", "415", "422", "429", "500", "503",
		} {
			got := e.get(t, "/api/visits?status="+status)
			if got.body != `{"error":"own sentence","code":"own_code"}` || got.header.Get("Retry-After") != "77" {
				t.Errorf("%s came as %d %s %v", status, got.status, got.body, got.header)
			}
			mustBeFixed(t, got)
		}
	})
}

func TestAnUnavailableServiceIsAnsweredAsJSON(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		e.services.servers["audit"].Close()
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			got := e.do(t, call{method: method, path: "/api/analytics/dashboard", body: "{}"})
			if got.status != http.StatusBadGateway && got.status != http.StatusServiceUnavailable {
				t.Errorf("status %d", got.status)
			}
			mustBeFault(t, got, got.status, "unavailable")
			if got.status == http.StatusServiceUnavailable && got.header.Get("Retry-After") == "" {
				t.Error("503 does not say when to come back")
			}
		}
		mustBeFault(t, e.get(t, "/api/visits?break"), http.StatusBadGateway, "unavailable")
		if got := e.get(t, "/api/visits/today"); got.status != http.StatusOK {
			t.Errorf("another service answers %d while one is unavailable", got.status)
		}
	})
}

func TestASlowResponseTimesOutAfterNineSeconds(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		began := time.Now()
		mustBeFault(t, e.get(t, "/api/visits/today?never"), http.StatusGatewayTimeout, "unavailable")
		took := time.Since(began)
		if took < 8*time.Second {
			t.Errorf("took %s", took)
		}
		testkit.AtMost(t, "the answer", took, 10*time.Second)
	})
}

func TestTheExportHasNoTimeout(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		patient := client("")
		patient.Timeout = 10 * time.Second
		_, err := patient.Get(e.base + "/api/analytics/export?never")
		if !errors.Is(err, os.ErrDeadlineExceeded) && !strings.Contains(err.Error(), "Client.Timeout") {
			t.Errorf("the gateway gave up before the caller: %v", err)
		}
	})
}

func TestALargeBodyIsRejectedByTheService(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		const size = 64<<10 + 1
		got := parse(t, e.do(t, call{method: http.MethodPost, path: "/api/visits", body: strings.Repeat("x", size)}))
		if got.Body != size {
			t.Errorf("%d bytes arrived", got.Body)
		}
	})
}

func TestAStopEndsOpenStreamsInTime(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, e *edge) {
		res, err := client("").Get(e.base + "/api/stream")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if _, err := bufio.NewReader(res.Body).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		e.stop(t)
		testkit.AtMost(t, "stopping", time.Since(began), 5*time.Second)
	})
}
