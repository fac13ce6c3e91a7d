package observe

import (
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// folder holds the rules and dashboards. It is relative to the repository's root.
const folder = "k8s/monitoring"

// needCluster are alerts about metrics that exist in a cluster only: those of kube-state-metrics, and targets that
// appear and disappear with their pods. Unit tests of promtool show that they fire.
var needCluster = []string{"BaariNoReplica", "BaariTargetAbsent"}

// Rule is one recording or alert rule.
type Rule struct {
	Record      string
	Alert       string
	Expr        string
	For         string
	Labels      map[string]string
	Annotations map[string]string
}

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
