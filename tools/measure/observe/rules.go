package observe

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// folder holds rules and dashboards, below the repository.
const folder = "k8s/monitoring"

// Rule is one recording or alert rule.
type Rule struct {
	Record      string
	Alert       string
	Expr        string
	For         string
	Labels      map[string]string
	Annotations map[string]string
}

// Name is that of the alert, or of the recorded series.
func (r Rule) Name() string { return r.Alert + r.Record }

// LoadRules reads the rules of the repository, in their order.
func LoadRules(root string) ([]Rule, error) {
	path := filepath.Join(root, filepath.FromSlash(folder), "rules.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var resource struct {
		Spec struct {
			Groups []struct{ Rules []Rule }
		}
	}
	if err := yaml.Unmarshal(text, &resource); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all []Rule
	for _, group := range resource.Spec.Groups {
		all = append(all, group.Rules...)
	}
	return all, nil
}

var (
	joined     = regexp.MustCompile(`\s+(?:or|and on \([a-z, ]+\))\s+`)
	comparison = regexp.MustCompile(`^(.*\S)\s+(?:>|==)\s+[\d.][\d.* ]*$`)
	longAgo    = regexp.MustCompile(`offset \w+`)
)

// Inputs are what an alert compares with its limits: its terms without the comparison, looked at now. What a recording
// rule has to say is its whole expression.
func (r Rule) Inputs() ([]string, error) {
	if r.Record != "" {
		return []string{r.Expr}, nil
	}
	var inputs []string
	for _, term := range joined.Split(strings.TrimSpace(r.Expr), -1) {
		parts := comparison.FindStringSubmatch(unwrapped(term))
		if parts == nil {
			return nil, fmt.Errorf("%s: %q compares nothing with a number", r.Alert, term)
		}
		inputs = append(inputs, longAgo.ReplaceAllString(parts[1], "offset 5s"))
	}
	return inputs, nil
}

// unwrapped removes the parentheses around joined terms, not those of a function.
func unwrapped(term string) string {
	if strings.Count(term, "(") > strings.Count(term, ")") {
		term = strings.TrimPrefix(term, "(")
	}
	if strings.Count(term, ")") > strings.Count(term, "(") {
		term = strings.TrimSuffix(term, ")")
	}
	return strings.TrimSpace(term)
}
