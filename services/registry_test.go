package services_test

import (
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baari.dev/services/contract/registry"
)

// Each folder with an API document is a service in the registry, and has a README.md and a target.go.
func TestEveryServiceIsInTheRegistry(t *testing.T) {
	documents, err := filepath.Glob("*/api.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, path := range documents {
		folders = append(folders, filepath.Dir(path))
	}
	if want := slices.Sorted(slices.Values(names)); !slices.Equal(folders, want) {
		t.Errorf("the folders with an api.yaml are %v, the rows of the registry %v", folders, want)
	}
	for _, service := range registry.Services {
		for _, file := range []string{"README.md", "target.go"} {
			if _, err := os.Stat(filepath.Join(service.Name, file)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestTheRegistryNamesTheServicesThatAServiceCalls(t *testing.T) {
	called := map[string]map[string]bool{}
	for _, s := range read(t, ".") {
		if s.isTest() || !slices.Contains(names, s.top()) {
			continue
		}
		if called[s.top()] == nil {
			called[s.top()] = map[string]bool{}
		}
		ast.Inspect(s.file, func(node ast.Node) bool {
			if selector, ok := node.(*ast.SelectorExpr); ok {
				if name := addressOf(selector.Sel.Name); name != "" {
					called[s.top()][name] = true
				}
			}
			return true
		})
	}
	for _, service := range registry.Services {
		needs := slices.Sorted(slices.Values(slices.Concat(service.Needs, service.Asks)))
		if uses := slices.Sorted(maps.Keys(called[service.Name])); !slices.Equal(uses, needs) {
			t.Errorf("%s uses the addresses of %v, its row says %v", service.Name, uses, needs)
		}
	}
}

// addressOf returns the service whose address a field or method of platform/process uses, or "" if it uses none.
// Verifier uses the address of auth.
func addressOf(selector string) string {
	if selector == "Verifier" {
		return "auth"
	}
	name, ok := strings.CutSuffix(strings.ToLower(selector), "url")
	if !ok || !slices.Contains(names, name) {
		return ""
	}
	return name
}
