package observe

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Dashboard is the part of a Grafana dashboard that is checked.
type Dashboard struct {
	File   string
	UID    string
	Title  string
	Panels []Panel
}

// Panel is one figure of a dashboard.
type Panel struct {
	ID          int
	Type        string
	Title       string
	Description string
	FieldConfig struct {
		Defaults struct{ Unit string }
	}
	Targets []Target
}

// Target is one query of a panel.
type Target struct{ Expr string }

// Now returns the query as Grafana would send it, for every cluster and namespace and with the shortest window.
func (t Target) Now() string {
	return strings.NewReplacer("$cluster", ".*", "$namespace", ".*", "$__rate_interval", "15s").Replace(t.Expr)
}

// LoadDashboards reads the dashboards of the repository.
func LoadDashboards(root string) ([]Dashboard, error) {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "dashboards", "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Dashboard
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		board := Dashboard{File: filepath.Base(file)}
		if err := json.Unmarshal(text, &board); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, board)
	}
	return all, nil
}
