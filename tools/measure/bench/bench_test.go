package bench

import (
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestEveryAnsweredCallIsCountedAndAnErrorEndsTheLoad(t *testing.T) {
	var served atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served.Add(1)
		if r.Header.Get("Authorization") == "" {
			http.Error(w, "sign in", http.StatusUnauthorized)
		}
	}))
	defer site.Close()
	run := func(token string) (load, error) {
		at := target{site.Listener.Addr().String(), token}
		list := func(int) call { return connect(at.request(http.MethodGet, "/", nil), nil) }
		return clients(list).repeat(t.Context(), 2, 50*time.Millisecond)
	}
	done, err := run("token")
	if err != nil || int64(len(done.latencies)) != served.Load() || served.Load() < 2 {
		t.Errorf("counted %d of %d: %v", len(done.latencies), served.Load(), err)
	}
	if done.latencies.quantile(.5) > done.latencies.quantile(.99) || done.latencies.quantile(1) == 0 {
		t.Errorf("latencies %v", done.latencies)
	}
	if _, err := run(""); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a rejected call is %v", err)
	}
}

func TestSpentIsTheProcessorTimeOfTheWork(t *testing.T) {
	began := time.Now()
	used, err := spent([]int{os.Getpid()}, func() error {
		for time.Since(began) < 10*tick { // compute
		}
		return nil
	})
	if err != nil || used[0] < tick {
		t.Errorf("used %v: %v", used, err)
	}
	if _, err := spent([]int{0}, func() error { return nil }); err == nil {
		t.Error("a process that does not exist has a processor time")
	}
}

func TestAReportNamesTheGoalsThatAreMissed(t *testing.T) {
	report := newReport()
	report.table(" %s", "ms %.1f", "lost %d").add("first", 2.25, nil)
	report.goal("first", ">= 10", 12)
	report.goal("second", "<= 1.10", 1.2)
	report.goal("third", "0", 0)
	var text strings.Builder
	report.Print(&text)
	if report.Met() || !strings.Contains(text.String(), "2.2") {
		t.Errorf("printed %s", text.String())
	}
	want := "first: 12.00, wanted >= 10: met; second: 1.20, wanted <= 1.10: MISSED; third: 0.00, wanted 0: met"
	if report.Summary() != want {
		t.Errorf("the summary is %s", report.Summary())
	}
}

func TestTheSidesAlternateAndTheWarmUpIsDropped(t *testing.T) {
	n := 0.0
	count := func(s series) error {
		n++
		s.add("n", n)
		return nil
	}
	both, err := alternate(2, count, count)
	if err != nil || !slices.Equal(both[0]["n"], []float64{3, 5}) || !slices.Equal(both[1]["n"], []float64{4, 6}) {
		t.Errorf("measured %v: %v", both, err)
	}
	if got := both[1].ratios("n", both[0]); got[0] != 4.0/3 {
		t.Errorf("ratios %v", got)
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("the median of 1, 2, 3 is %v", got)
	}
}

func TestTheTableOfResultsHasOneRowForEachBenchmark(t *testing.T) {
	table := "# Load\n\n" + resultsBegin + "\n| `bench sse` | old | 1 | m | c |\n\n" + resultsEnd + "\nmore\n"
	for _, row := range []string{"| `bench sse` | new | 2 | m | c |", "| `bench auth` | fast | 2 | m | c |"} {
		var err error
		if table, err = withRow(table, row); err != nil {
			t.Fatal(err)
		}
	}
	rows := "| `bench auth` | fast | 2 | m | c |\n| `bench sse` | new | 2 | m | c |\n"
	want := "# Load\n\n" + resultsBegin + "\n" + rows + "\n" + resultsEnd + "\nmore\n"
	if table != want {
		t.Errorf("the table is\n%s", table)
	}
	if _, err := withRow("no table", "| a | b |"); err == nil {
		t.Error("a file without the table is accepted")
	}
}
