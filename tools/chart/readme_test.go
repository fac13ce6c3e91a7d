package chart

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

const readmeHead = `# Chart of Baari

How to install, upgrade and operate it is in [services/docs/kubernetes.md](../../services/docs/kubernetes.md), what an
upgrade needs in [CHANGELOG.md](../../CHANGELOG.md), examples of values in [k8s](../../k8s/README.md).

This table is generated from values.schema.json and values.yaml by ` + "`go run ./tools/baari generate chart`" + `. What
` + "`defaults`" + ` has can be set for a service, for the web server and for the gateway, too.

| value | default | meaning |
|---|---|---|
`

// readme returns the text of the chart's README: each property of the schema with its default and description. A
// property without a description is an error.
func readme(root string) (string, error) {
	var schema, values yaml.Node
	for name, into := range map[string]*yaml.Node{"values.schema.json": &schema, "values.yaml": &values} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(chart), name))
		if err != nil {
			return "", err
		}
		if err := yaml.Unmarshal(text, into); err != nil { // JSON is YAML, and a node keeps the order
			return "", fmt.Errorf("%s: %w", name, err)
		}
	}
	table := valueTable{schema: schema.Content[0]}
	table.rows(table.schema, values.Content[0], "")
	return readmeHead + table.text.String(), errors.Join(table.errs...)
}

type valueTable struct {
	schema *yaml.Node
	text   strings.Builder
	errs   []error
}

func (t *valueTable) rows(object, values *yaml.Node, prefix string) {
	properties := field(object, "properties")
	for i := 0; properties != nil && i < len(properties.Content); i += 2 {
		name := properties.Content[i].Value
		t.row(properties.Content[i+1], field(values, name), prefix, name)
	}
}

func (t *valueTable) row(property, value *yaml.Node, prefix, name string) {
	if field(property, "const") != nil {
		return // a value of earlier releases; the error message names its successor
	}
	path := prefix + name
	description := field(property, "description")
	if description == nil {
		t.errs = append(t.errs, fmt.Errorf("values.schema.json: %s has no description", path))
		return
	}
	inner := t.resolved(property)
	shared := field(t.resolved(field(field(t.schema, "properties"), "defaults")), "properties")
	if field(shared, name) != nil && slices.Contains([]string{"services.NAME.", "web.", "gateway."}, prefix) {
		return // the defaults have a row for it
	}
	if path == "office" {
		inner = nil // services/office/office.schema.json describes its settings
	}
	nested := field(inner, "properties") != nil
	_, _ = fmt.Fprintf(&t.text, "| `%s` | %s | %s |\n", path, defaultOf(value, nested), description.Value)
	t.rows(inner, value, path+".")
	if each := field(inner, "additionalProperties"); each != nil && field(each, "properties") != nil {
		t.rows(each, nil, path+".NAME.")
	}
}

// resolved returns the definition that a property refers to, or the property.
func (t *valueTable) resolved(property *yaml.Node) *yaml.Node {
	if reference := field(property, "$ref"); reference != nil {
		return field(field(t.schema, "definitions"), strings.TrimPrefix(reference.Value, "#/definitions/"))
	}
	return property
}

// defaultOf returns a value as JSON, or a reference if it is long; "" for an absent value, or if its parts have rows.
func defaultOf(value *yaml.Node, nested bool) string {
	var decoded any
	if value == nil || nested || value.Decode(&decoded) != nil {
		return ""
	}
	text, err := json.Marshal(decoded)
	if err != nil || len(text) > 120 {
		return "see values.yaml"
	}
	return "`" + strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(text)) + "`"
}

// field returns a field of a mapping, or nil.
func field(object *yaml.Node, name string) *yaml.Node {
	for i := 0; object != nil && i+1 < len(object.Content); i += 2 {
		if object.Kind == yaml.MappingNode && object.Content[i].Value == name {
			return object.Content[i+1]
		}
	}
	return nil
}

func sameReadme(root string) error {
	want, err := readme(root)
	if err != nil {
		return err
	}
	committed, err := os.ReadFile(readmePath(root))
	if err != nil || string(committed) != want {
		return fmt.Errorf("%s is out of date; run `go run ./tools/baari generate chart`", readmePath(root))
	}
	return nil
}

func readmePath(root string) string {
	return filepath.Join(root, filepath.FromSlash(chart), "README.md")
}
