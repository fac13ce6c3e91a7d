package suite

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/cover"
)

// What T4 of reliability.md asks for. Go counts statements, not branches; the state machine and the access rules have one statement a branch.
const wantedCoverage = 85.0 // percent of the statements of the product

// product are the modules whose statements count. The tools are what tests are made with: whole runs try them, not their own tests.
var product = []string{"services", "gateway"}

// equipment are the packages within the product that only tests use.
var equipment = []string{"baari.dev/services/platform/testkit/", "baari.dev/services/contract/contracttest/", "baari.dev/gateway/test/"}

// decisive are the sources in which no statement may go untried: what decides a change of status, and what decides who may call.
var decisive = []string{
	"baari.dev/services/visits/visit/",
	"baari.dev/services/platform/endpoint/access.go",
	"baari.dev/services/platform/endpoint/convention.go",
	"baari.dev/services/platform/endpoint/guard.go",
}

// coverage is how much of the sources tests have reached.
type coverage struct {
	reached, all int
	untried      []string // places in decisive sources
}

// add reads a profile that go test has written.
func (c *coverage) add(file string) error {
	profiles, err := cover.ParseProfiles(file)
	if err != nil {
		return fmt.Errorf("coverage: %w", err)
	}
	for _, profile := range profiles {
		if isIn(equipment, profile.FileName) {
			continue
		}
		for _, block := range profile.Blocks {
			c.all += block.NumStmt
			if block.Count > 0 {
				c.reached += block.NumStmt
			} else if block.NumStmt > 0 && isIn(decisive, profile.FileName) {
				c.untried = append(c.untried, fmt.Sprintf("%s:%d", profile.FileName, block.StartLine))
			}
		}
	}
	return nil
}

func isIn(places []string, file string) bool {
	return slices.ContainsFunc(places, func(place string) bool { return strings.HasPrefix(file, place) })
}

func (c *coverage) percent() float64 { return 100 * float64(c.reached) / float64(max(c.all, 1)) }

// judge tells the figure, and returns an error when it or what decides falls short.
func (c *coverage) judge(w io.Writer) error {
	_, _ = fmt.Fprintf(w, "coverage: %.1f %% of %d statements, wanted %.0f %%\n", c.percent(), c.all, wantedCoverage)
	var errs []error
	if c.percent() < wantedCoverage {
		errs = append(errs, fmt.Errorf("tests reach %.1f %% of the statements, wanted are %.0f %%", c.percent(), wantedCoverage))
	}
	if len(c.untried) > 0 {
		errs = append(errs, fmt.Errorf("no test reaches what decides a transition or an access at %s", strings.Join(c.untried, ", ")))
	}
	return errors.Join(errs...)
}
