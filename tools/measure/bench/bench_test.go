package bench

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestSpentIsTheProcessorTimeOfTheWork(t *testing.T) {
	own := func() time.Duration {
		var usage syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	began := own()
	used, err := spent([]int{os.Getpid()}, func() error {
		for own()-began < 4*tick { // User and system time are each rounded down to a tick.
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

func TestMedian(t *testing.T) {
	if got := median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("the median of 1, 2, 3 is %v", got)
	}
}

func TestTheTableOfResultsHasOneRowForEachBenchmark(t *testing.T) {
	table := "# Load\n\n" + resultsBegin + "\n| `bench start` | old | 1 | m | c |\n\n" + resultsEnd + "\nmore\n"
	for _, row := range []string{"| `bench start` | new | 2 | m | c |", "| `bench queue` | fast | 2 | m | c |"} {
		var err error
		if table, err = withRow(table, row); err != nil {
			t.Fatal(err)
		}
	}
	rows := "| `bench queue` | fast | 2 | m | c |\n| `bench start` | new | 2 | m | c |\n"
	want := "# Load\n\n" + resultsBegin + "\n" + rows + "\n" + resultsEnd + "\nmore\n"
	if table != want {
		t.Errorf("the table is\n%s", table)
	}
	if _, err := withRow("no table", "| a | b |"); err == nil {
		t.Error("a file without the table is accepted")
	}
}
