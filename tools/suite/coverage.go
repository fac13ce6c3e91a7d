package suite

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/cover"
)

// wantedCoverage is the minimum that T4 (services/docs/gates.md) requires. Go counts statements, not branches, but in
// the state machine and the access rules each branch has a statement of its own.
const wantedCoverage = 85.0 // percent of the product's statements

// product lists modules whose statements count. Tools are excluded: whole runs, not unit tests, exercise most of them.
var product = []string{"services", "gateway"}

// equipment lists the packages in the product that only tests use.
var equipment = []string{
	"baari.dev/services/platform/testkit/", "baari.dev/services/contract/contracttest/", "baari.dev/gateway/test/",
}

// wholes lists modules and services that are each tested as a whole: a test of one of their packages counts the
// statements that it reaches in all packages of wholes.
var wholes = []string{"baari.dev/gateway", "baari.dev/services/auth", "baari.dev/services/visits"}

// testedTogether returns arguments of go test for packages: a list for the packages of wholes, and one for the rest.
func testedTogether(packages []string) (groups [][]string) {
	var patterns, inside, others []string
	for _, name := range packages {
		whole := slices.IndexFunc(wholes, func(whole string) bool {
			return name == whole || strings.HasPrefix(name, whole+"/")
		})
		if whole < 0 {
			others = append(others, name)
			continue
		}
		inside = append(inside, name)
		if pattern := wholes[whole] + "/..."; !slices.Contains(patterns, pattern) {
			patterns = append(patterns, pattern)
		}
	}
	if len(inside) > 0 {
		groups = append(groups, append([]string{"-coverpkg=" + strings.Join(patterns, ",")}, inside...))
	}
	if len(others) > 0 {
		groups = append(groups, others)
	}
	return groups
}

// decisive lists the sources that need full coverage: status transitions, the order of the line, and access rules.
var decisive = []string{
	"baari.dev/services/visits/visit/",
	"baari.dev/services/visits/line/",
	"baari.dev/services/platform/endpoint/access.go",
	"baari.dev/services/platform/endpoint/convention.go",
	"baari.dev/services/platform/endpoint/guard.go",
}

// coverage counts the covered statements of the product.
type coverage struct {
	reached, all int
	untried      []string // uncovered statements of decisive sources, each as file:line
}

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

// judge prints the coverage. It returns an error if the total is too low or a decisive source is not fully covered.
func (c *coverage) judge(w io.Writer) error {
	_, _ = fmt.Fprintf(w, "coverage: %.1f %% of %d statements, required %.0f %%\n", c.percent(), c.all, wantedCoverage)
	var errs []error
	if c.percent() < wantedCoverage {
		errs = append(errs, fmt.Errorf("coverage is %.1f %% of the statements, required is %.0f %%",
			c.percent(), wantedCoverage))
	}
	if len(c.untried) > 0 {
		rules := strings.Join(c.untried, ", ")
		errs = append(errs, fmt.Errorf("no test covers these transition, order or access rules: %s", rules))
	}
	return errors.Join(errs...)
}
