package bench

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/valyala/fasthttp"
)

// Each client sends its next request after the previous answer, and every answered request is counted.
func TestLoadCountsWhatWasAnswered(t *testing.T) {
	var asked atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Cookie") == "" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
		}
	}))
	defer site.Close()
	s := &server{host: site.Listener.Addr().String(), pid: os.Getpid()}
	known := s.request(fasthttp.MethodGet, "/", nil)
	known.Header.Set("Cookie", "a=b")
	done, _, err := s.loaded(context.Background(), []*fasthttp.Request{known, known}, 50*time.Millisecond)
	if err != nil || int64(done.calls) != asked.Load() || done.calls < 2 {
		t.Errorf("counted %d of %d: %v", done.calls, asked.Load(), err)
	}
	if done.quantile(.5) > done.quantile(.99) || done.quantile(1) == 0 {
		t.Errorf("latencies from %s to %s", done.quantile(.5), done.quantile(1))
	}
	if _, _, err := s.loaded(context.Background(), []*fasthttp.Request{s.request(fasthttp.MethodGet, "/", nil)}, time.Second); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a refusal is %v", err)
	}
}

func TestProcessorTimeGrowsWithWork(t *testing.T) {
	before, err := processorTime(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for each := time.Duration(0); each < 5*tick; { // the work itself takes the time
		after, err := processorTime(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		each = after - before
	}
	if _, err := processorTime(0); err == nil {
		t.Error("the CPU time of a process that does not exist is known")
	}
}

func TestAReportSaysWhichGoalIsMissed(t *testing.T) {
	report := Report{Verdict: Verdict{Goals: []Goal{{"first", ">= 10", 12, true}, {"second", "<= 1.10", 1.2, false}}}}
	var text strings.Builder
	report.Print(&text)
	if report.Met() || !strings.Contains(text.String(), "first: 12.00, wanted >= 10: met") || !strings.Contains(text.String(), "second: 1.20, wanted <= 1.10: MISSED") {
		t.Errorf("printed %s", text.String())
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("the median of 1, 2, 3 is %v", got)
	}
}

// The table of last results has one row for a benchmark, whatever it contained before.
func TestTheTableOfResultsKeepsTheLastOfEach(t *testing.T) {
	table := "# Load\n\n" + resultsBegin + "\n| `bench sse` | old | 1 | m | c |\n\n" + resultsEnd + "\nmore\n"
	for _, row := range []string{"| `bench sse` | new | 2 | m | c |", "| `bench auth` | fast | 2 | m | c |"} {
		var err error
		if table, err = withRow(table, row); err != nil {
			t.Fatal(err)
		}
	}
	want := "# Load\n\n" + resultsBegin + "\n| `bench auth` | fast | 2 | m | c |\n| `bench sse` | new | 2 | m | c |\n\n" + resultsEnd + "\nmore\n"
	if table != want {
		t.Errorf("the table is\n%s", table)
	}
	if _, err := withRow("no table", "| a | b |"); err == nil {
		t.Error("a file without the table is written to")
	}
}
