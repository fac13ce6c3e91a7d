package bench

import "testing"

// Each call is compared with itself with fewer visits; the one that reads none has no goal.
func TestGrowthIsJudgedCallByCall(t *testing.T) {
	r := ReadsReport{Small: 10, Large: 100, Looked: []Looked{
		{Call: control, Visits: 10, Median: 1}, {Call: control, Visits: 100, Median: 2},
		{Call: "today", Visits: 10, Median: 4, Pages: 10}, {Call: "today", Visits: 100, Median: 5, Pages: 14},
		{Call: "counts", Visits: 10, Median: 1}, {Call: "counts", Visits: 100, Median: 1.5},
	}, Exports: []Exported{{Visits: 100, Rows: 5, Service: 60, Copy: 100, Before: 30, Peak: 51}}}
	r.judge()
	met := map[string]bool{}
	for _, goal := range r.Goals {
		met[goal.Name] = goal.Met
	}
	want := map[string]bool{
		"today, with 10 times the visits": true, "counts, with 10 times the visits": false, "pages that any of them touches, times": false,
		"export at 100 visits, times COPY": true, "MB that audit grows by while it exports 5 rows": false,
	}
	if len(met) != len(want) {
		t.Errorf("judged %v", met)
	}
	for name, is := range want {
		if met[name] != is {
			t.Errorf("%s: met is %t", name, met[name])
		}
	}
}

func TestLinesAreCounted(t *testing.T) {
	lines := &lineCounter{}
	for _, piece := range []string{"a,b\r\n", "c,", "d\r\ne,f\r\n"} {
		if n, err := lines.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("wrote %d, %v", n, err)
		}
	}
	if lines.count != 3 {
		t.Errorf("counted %d lines", lines.count)
	}
}
