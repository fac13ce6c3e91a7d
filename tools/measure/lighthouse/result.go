package lighthouse

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Categories are Lighthouse's categories, scored from 0 to 100.
var Categories = []string{"performance", "accessibility", "best-practices", "seo"}

// Scores are points by category.
type Scores map[string]int

// pages are measured, with the least that each has to reach.
var pages = []struct {
	Path string
	Goal Scores
}{
	{"/", Scores{"performance": 98, "accessibility": 98, "best-practices": 98, "seo": 98}},
	{"/login", Scores{"performance": 90, "accessibility": 100, "best-practices": 100, "seo": 100}},
}

// Run is the result of one run of Lighthouse: scores, and the performance metrics in milliseconds.
type Run struct {
	Scores Scores   `json:"scores"`
	FCP    float64  `json:"first_contentful_paint_ms"`
	LCP    float64  `json:"largest_contentful_paint_ms"`
	TBT    float64  `json:"total_blocking_time_ms"`
	CLS    float64  `json:"cumulative_layout_shift"`
	Speed  float64  `json:"benchmark_index"` // Lighthouse's index of the machine's speed during the run
	Faults []string `json:"faults"`          // audits that cost points
}

// Result is a page's runs and their median, number by number.
type Result struct {
	Page   string `json:"page"`
	Goal   Scores `json:"goal"`
	Median Run    `json:"median"`
	Runs   []Run  `json:"runs"`
}

// missed names the categories in which the median is below the goal.
func (r Result) missed() []string {
	return slices.DeleteFunc(slices.Clone(Categories), func(category string) bool {
		return r.Median.Scores[category] >= r.Goal[category]
	})
}

// document is the part of Lighthouse's answer that is read here.
type document struct {
	Environment struct {
		BenchmarkIndex float64 `json:"benchmarkIndex"`
	} `json:"environment"`
	RuntimeError struct{ Code, Message string } `json:"runtimeError"`
	Categories   map[string]struct {
		Score     *float64 `json:"score"`
		AuditRefs []struct {
			ID     string  `json:"id"`
			Weight float64 `json:"weight"`
		} `json:"auditRefs"`
	} `json:"categories"`
	Audits map[string]struct {
		Score        *float64 `json:"score"`
		NumericValue float64  `json:"numericValue"`
	} `json:"audits"`
}

// parse reads an answer. It returns an error when the page could not be judged.
func parse(answer []byte) (Run, error) {
	var d document
	if err := json.Unmarshal(answer, &d); err != nil {
		return Run{}, fmt.Errorf("read Lighthouse's answer: %w", err)
	}
	if d.RuntimeError.Code != "" {
		return Run{}, fmt.Errorf("lighthouse could not judge the page: %s", d.RuntimeError.Message)
	}
	run := Run{
		Scores: Scores{}, Faults: d.faults(),
		FCP: d.Audits["first-contentful-paint"].NumericValue, LCP: d.Audits["largest-contentful-paint"].NumericValue,
		TBT: d.Audits["total-blocking-time"].NumericValue, CLS: d.Audits["cumulative-layout-shift"].NumericValue,
		Speed: d.Environment.BenchmarkIndex,
	}
	for _, category := range Categories {
		score := d.Categories[category].Score
		if score == nil {
			return Run{}, fmt.Errorf("lighthouse gave no points for %s", category)
		}
		run.Scores[category] = int(math.Round(*score * 100))
	}
	return run, nil
}

// faults are the audits that count and are not perfect.
func (d document) faults() []string {
	var all []string
	for _, category := range Categories {
		for _, audit := range d.Categories[category].AuditRefs {
			if score := d.Audits[audit.ID].Score; audit.Weight > 0 && score != nil && *score < 1 {
				all = append(all, audit.ID)
			}
		}
	}
	return all
}

// median is the median of each number separately; one slow run does not change it.
func median(runs []Run) Run {
	m := Run{
		Scores: Scores{},
		FCP:    middle(runs, func(r Run) float64 { return r.FCP }),
		LCP:    middle(runs, func(r Run) float64 { return r.LCP }),
		TBT:    middle(runs, func(r Run) float64 { return r.TBT }),
		CLS:    middle(runs, func(r Run) float64 { return r.CLS }),
		Speed:  middle(runs, func(r Run) float64 { return r.Speed }),
	}
	for _, category := range Categories {
		m.Scores[category] = middle(runs, func(r Run) int { return r.Scores[category] })
	}
	for _, run := range runs {
		m.Faults = append(m.Faults, run.Faults...)
	}
	slices.Sort(m.Faults)
	m.Faults = slices.Compact(m.Faults)
	return m
}

// middle is the median of one number; of an even count the lower of the two in the middle.
func middle[N cmp.Ordered](runs []Run, number func(Run) N) N {
	var numbers []N
	for _, run := range runs {
		numbers = append(numbers, number(run))
	}
	slices.Sort(numbers)
	return numbers[(len(numbers)-1)/2]
}
