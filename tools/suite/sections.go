package suite

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"baari.dev/services/contract/registry"
	"baari.dev/tools/stack"
)

// sectionFiles are the files with sections generated from the registry of services. A section begins with a line that
// contains `begin generated: NAME` and ends with one that contains `end generated`. sections.tmpl has the texts.
var sectionFiles = []string{
	"charts/baari/values.yaml",
	"gateway/routes.go", "gateway/edge.go",
	"web/scripts/generate-api.ts", "web/src/api/paths.ts",
	"k8s/production/secrets.yaml", "k8s/postgres-operator/cluster.yaml", "k8s/postgres-operator/grants.sql",
	"k8s/monitoring/rules.yaml", "k8s/gitops/external-secrets.yaml", "k8s/pgbouncer/timeouts.sql",
	"k8s/pgbouncer/pgbouncer.yaml",
}

//go:embed sections.tmpl
var sectionsText embed.FS

var sections = template.Must(template.New("").Funcs(template.FuncMap{
	"title": func(name string) string { return strings.ToUpper(name[:1]) + name[1:] },
	"list":  func(items []string) string { return strings.Join(items, ", ") },
}).ParseFS(sectionsText, "sections.tmpl"))

// section matches a section: its first line with the name, its text, and its last line.
var section = regexp.MustCompile(`(?s)([^\n]*begin generated: (\S+)[^\n]*\n)(.*?)([^\n]*end generated[^\n]*\n)`)

// GenerateSections writes the generated sections of the repository, and what follows from the office document's schema.
func GenerateSections(root string) error {
	return eachSectionFile(root, func(path string, before, after []byte) error {
		if bytes.Equal(before, after) {
			return nil
		}
		return os.WriteFile(path, after, 0o644) //nolint:gosec // a repository file that every user may read
	})
}

// CheckSections returns an error that names the files whose generated sections differ from the registry or the schema.
func CheckSections(root string) error {
	var stale []string
	err := eachSectionFile(root, func(path string, before, after []byte) error {
		if !bytes.Equal(before, after) {
			stale = append(stale, path)
		}
		return nil
	})
	if err == nil && len(stale) > 0 {
		err = fmt.Errorf("out of date: %s; run `go run ./tools/baari generate`", strings.Join(stale, ", "))
	}
	return err
}

func eachSectionFile(root string, do func(path string, before, after []byte) error) error {
	for _, name := range sectionFiles {
		path := filepath.Join(root, filepath.FromSlash(name))
		before, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		after, err := fillSections(name, before, registry.Services)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := do(path, before, after); err != nil {
			return err
		}
	}
	return eachOfficeFile(root, do)
}

// fillSections returns the text of a file in which the sections are replaced; Go files are formatted. It returns an
// error if the file has no section.
func fillSections(name string, text []byte, services []registry.Service) ([]byte, error) {
	if !section.Match(text) {
		return nil, fmt.Errorf("the file has no generated section")
	}
	var failed error
	filled := section.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := section.FindSubmatch(found)
		var out bytes.Buffer
		out.Write(parts[1])
		if err := sections.ExecuteTemplate(&out, string(parts[2]), services); err != nil {
			failed = err
		}
		out.Write(parts[4])
		return out.Bytes()
	})
	if failed == nil && filepath.Ext(name) == ".go" {
		return formatted(filled)
	}
	return filled, failed
}

// formatted formats Go source with the program gofmt. go/format would add ten packages to the launcher.
func formatted(source []byte) ([]byte, error) {
	gofmt := exec.Command("gofmt")
	gofmt.Stdin = bytes.NewReader(source)
	text, err := stack.Output(gofmt)
	return []byte(text), err
}
