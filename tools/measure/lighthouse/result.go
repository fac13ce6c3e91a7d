package lighthouse

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Categories are Lighthouse's categories, scored from 0 to 100.
var Categories = []string{"performance", "accessibility", "best-practices", "seo"}

// pages are measured, with the least score that each has to reach in each category.
var pages = []struct {
	Path string
	Goal Figures
}{
	{"/", Figures{"performance": 98, "accessibility": 98, "best-practices": 98, "seo": 98}},
	{"/login", Figures{"performance": 90, "accessibility": 100, "best-practices": 100, "seo": 100}},
}

// Figures are the scores by category, the performance metrics in milliseconds, and Lighthouse's index of the machine's
// speed during the run.
type Figures map[string]float64

// metrics are the audits that measure, by the names of their figures.
var metrics = map[string]string{
	"FCP": "first-contentful-paint", "LCP": "largest-contentful-paint", "TBT": "total-blocking-time",
	"CLS": "cumulative-layout-shift",
}

// machine is the name of the index of the machine's speed.
const machine = "machine"

// Run is the result of one run of Lighthouse.
type Run struct {
	Figures Figures  `json:"figures"`
	Faults  []string `json:"faults"` // audits that cost points
}

// Result is a page's runs and their median, number by number.
type Result struct {
	Page   string  `json:"page"` // path and language
	Goal   Figures `json:"goal"`
	Median Figures `json:"median"`
	Runs   []Run   `json:"runs"`
}

// missed names the categories in which the median is below the goal.
func (r Result) missed() []string {
	return slices.DeleteFunc(slices.Clone(Categories), func(category string) bool {
		return r.Median[category] >= r.Goal[category]
	})
}

// document is the part of Lighthouse's answer that is read here.
type document struct {
	Environment  struct{ BenchmarkIndex float64 }
	RuntimeError struct{ Code, Message string }
	Categories   map[string]struct {
		Score     *float64
		AuditRefs []struct {
			ID     string
			Weight float64
		}
	}
	Audits map[string]struct {
		Score        *float64
		NumericValue float64
	}
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
	run := Run{Figures: Figures{machine: d.Environment.BenchmarkIndex}}
	for name, audit := range metrics {
		run.Figures[name] = d.Audits[audit].NumericValue
	}
	for _, name := range Categories {
		category := d.Categories[name]
		if category.Score == nil {
			return Run{}, fmt.Errorf("lighthouse gave no points for %s", name)
		}
		run.Figures[name] = math.Round(*category.Score * 100)
		for _, audit := range category.AuditRefs {
			if score := d.Audits[audit.ID].Score; audit.Weight > 0 && score != nil && *score < 1 {
				run.Faults = append(run.Faults, audit.ID)
			}
		}
	}
	return run, nil
}

// median is the median of each figure separately, so that one slow run does not change it; of an even count the lower
// of the two in the middle.
func median(runs []Run) Figures {
	all := map[string][]float64{}
	for _, run := range runs {
		for name, value := range run.Figures {
			all[name] = append(all[name], value)
		}
	}
	m := Figures{}
	for name, values := range all {
		slices.Sort(values)
		m[name] = values[(len(values)-1)/2]
	}
	return m
}
