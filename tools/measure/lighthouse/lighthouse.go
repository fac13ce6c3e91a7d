// Package lighthouse measures the landing page and the sign-in screen with Lighthouse and compares the medians of some
// runs with goals. Start reading at Measure.
package lighthouse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"baari.dev/tools/stack"
)

// ErrBelow means that a page is below its goal. The printed table names it.
var ErrBelow = errors.New("a page is below its goal")

// Options select the pages and the programs to measure with.
type Options struct {
	Base      string      // the address of the running system
	Languages []string    // in which each page is measured, as BCP 47 tags
	Runs      int         // of each page in each language
	Program   string      // Lighthouse's program for Node
	Node      *stack.Node // runs it
	Chromium  string      // the browser
	File      string      // gets the results as JSON
}

// Measure measures every page Runs times in every language and writes all results to File.
func Measure(ctx context.Context, options Options) ([]Result, error) {
	var results []Result
	for _, language := range options.Languages {
		for _, page := range pages {
			result := Result{Page: address(page.Path, language), Goal: page.Goal}
			for range options.Runs {
				run, err := options.measure(ctx, result.Page)
				if err != nil {
					return nil, fmt.Errorf("measure %s: %w", result.Page, err)
				}
				result.Runs = append(result.Runs, run)
			}
			result.Median = median(result.Runs)
			results = append(results, result)
		}
	}
	return results, stack.WriteJSON(options.File, results)
}

// measure runs Lighthouse once, as a mid-range phone on a slow network whose browser has nothing stored.
func (o Options) measure(ctx context.Context, page string) (Run, error) {
	cmd := o.Node.Command(ctx, filepath.Dir(o.Program), "node", o.Program,
		o.Base+page, "--output=json", "--quiet", "--no-enable-error-reporting",
		"--only-categories="+strings.Join(Categories, ","), "--chrome-flags=--headless=new --no-sandbox")
	cmd.Env = append(cmd.Env, "CHROME_PATH="+o.Chromium)
	answer, err := stack.Output(cmd)
	if err != nil {
		return Run{}, err
	}
	return parse([]byte(answer))
}

// address returns the address of a page in a language, without the host.
func address(path, language string) string {
	return path + "?" + url.Values{"lang": {language}}.Encode()
}

// Report prints a table of the medians; its column machine is Lighthouse's index of how fast this machine was
// meanwhile. It returns ErrBelow when a page is below its goal.
func Report(out io.Writer, results []Result) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "\npage\t"+strings.Join(Categories, "\t")+"\tFCP\tLCP\tTBT\tCLS\tmachine\tresult")
	var below bool
	for _, result := range results {
		_, _ = fmt.Fprintf(table, "%s\t", result.Page)
		for _, category := range Categories {
			_, _ = fmt.Fprintf(table, "%.0f of %.0f\t", result.Median[category], result.Goal[category])
		}
		m, word := result.Median, "reached"
		if missed := result.missed(); len(missed) > 0 {
			below, word = true, "below in "+strings.Join(missed, ", ")
		}
		_, _ = fmt.Fprintf(table, "%.1f s\t%.1f s\t%.0f ms\t%.3f\t%.0f\t%s\n",
			m["FCP"]/1000, m["LCP"]/1000, m["TBT"], m["CLS"], m[machine], word)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if below {
		return ErrBelow
	}
	return nil
}
