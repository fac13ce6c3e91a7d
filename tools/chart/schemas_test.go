package chart

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"baari.dev/tools/stack"
)

// kubernetesModule holds the OpenAPI document of all built-in kinds.
const kubernetesModule = "k8s.io/kubernetes@v" + kubeVersion

// definitions maps a module to the path of the custom resource definitions in it.
var definitions = map[string]string{
	"sigs.k8s.io/gateway-api@v1.6.3":                             "config/crd/standard/*.yaml",
	"github.com/prometheus-operator/prometheus-operator@v0.84.0": "example/prometheus-operator-crd/*.yaml",
	"github.com/cloudnative-pg/cloudnative-pg@v1.27.1":           "config/crd/bases/*.yaml",
	"github.com/external-secrets/external-secrets@v1.3.2":        "config/crds/bases/external-secrets.io_*.yaml",
	"github.com/argoproj/argo-cd/v3@v3.1.9":                      "manifests/crds/*.yaml",
	"github.com/kedacore/keda/v2@v2.18.1":                        "config/crd/bases/*.yaml",
}

// kubernetesSchemas writes a folder of JSON schemas from the modules above, once per version, and returns
// kubeconform's path pattern for it.
func kubernetesSchemas(ctx context.Context, progress *stack.Progress) (string, error) {
	cache, err := stack.CacheFolder()
	if err != nil {
		return "", err
	}
	from := sha256.Sum256(fmt.Append(nil, definitions)) // fmt sorts map keys
	dir := filepath.Join(cache, fmt.Sprintf("schemas-%s-%x", kubeVersion, from[:4]))
	location := filepath.Join(dir, "{{.ResourceKind}}{{.KindSuffix}}.json")
	return location, stack.MakeOnce(ctx, dir, func(unfinished string) error {
		return progress.Step("writing the schemas of Kubernetes, once", func() error {
			return makeSchemas(ctx, unfinished)
		})
	})
}

func makeSchemas(ctx context.Context, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	source, err := stack.DownloadModule(ctx, os.TempDir(), kubernetesModule)
	if err != nil {
		return err
	}
	if err := builtInKinds(filepath.Join(source, "api", "openapi-spec", "swagger.json"), dir); err != nil {
		return err
	}
	for module, pattern := range definitions {
		if source, err = stack.DownloadModule(ctx, os.TempDir(), module); err != nil {
			return err
		}
		files, err := filepath.Glob(filepath.Join(source, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			return fmt.Errorf("%s has no %s", module, pattern)
		}
		for _, file := range files {
			if err := customKinds(file, dir); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return nil
}

// groupVersionKind is the key in a schema that lists the kinds it describes.
const groupVersionKind = "x-kubernetes-group-version-kind"

// builtInKinds writes one schema for each kind of an OpenAPI document, with the definitions that it refers to.
func builtInKinds(swagger, dir string) error {
	text, err := os.ReadFile(swagger)
	if err != nil {
		return err
	}
	var document struct{ Definitions map[string]map[string]any }
	if err := json.Unmarshal(text, &document); err != nil {
		return err
	}
	all := document.Definitions
	for name := range all {
		all[name] = closed(all[name]).(map[string]any)
	}
	all["io.k8s.apimachinery.pkg.api.resource.Quantity"] = map[string]any{"type": []string{"string", "number"}}
	for _, schema := range all {
		kinds, _ := schema[groupVersionKind].([]any)
		for _, kind := range kinds {
			if err := writeKind(dir, kind.(map[string]any), schema, all); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeKind(dir string, kind, schema map[string]any, all map[string]map[string]any) error {
	needed := map[string]any{}
	collect(schema, all, needed)
	whole := map[string]any{"definitions": needed}
	for key, value := range schema {
		whole[key] = value
	}
	return writeSchema(dir, fmt.Sprint(kind["kind"]), fmt.Sprint(kind["group"]), fmt.Sprint(kind["version"]), whole)
}

// collect adds the definitions that a schema refers to, transitively.
func collect(node any, all map[string]map[string]any, into map[string]any) {
	switch n := node.(type) {
	case map[string]any:
		if reference, ok := n["$ref"].(string); ok {
			name := reference[strings.LastIndex(reference, "/")+1:]
			if _, known := into[name]; !known {
				into[name] = all[name]
				collect(all[name], all, into)
			}
		}
		for _, value := range n {
			collect(value, all, into)
		}
	case []any:
		for _, value := range n {
			collect(value, all, into)
		}
	}
}

// closed forbids unknown fields in objects and accepts numbers and strings where Kubernetes does.
func closed(node any) any {
	switch n := node.(type) {
	case map[string]any:
		for key, value := range n {
			n[key] = closed(value)
		}
		if n["format"] == "int-or-string" || n["x-kubernetes-int-or-string"] == true {
			return map[string]any{"type": []string{"string", "integer"}}
		}
		_, fields := n["properties"].(map[string]any)
		_, said := n["additionalProperties"]
		if n["type"] == "object" && fields && !said && n["x-kubernetes-preserve-unknown-fields"] != true {
			n["additionalProperties"] = false
		}
	case []any:
		for i, value := range n {
			n[i] = closed(value)
		}
	}
	return node
}

// customKinds writes the schemas of a file of custom resource definitions.
func customKinds(file, dir string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	documents := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var definition struct {
			Kind string
			Spec struct {
				Group    string
				Names    struct{ Kind string }
				Versions []struct {
					Name   string
					Schema struct {
						OpenAPI map[string]any `yaml:"openAPIV3Schema"`
					}
				}
			}
		}
		if err := documents.Decode(&definition); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if definition.Kind != "CustomResourceDefinition" {
			continue
		}
		for _, version := range definition.Spec.Versions {
			schema := closed(version.Schema.OpenAPI).(map[string]any)
			if fields, ok := schema["properties"].(map[string]any); ok {
				fields["metadata"] = map[string]any{"type": "object"} // custom resources declare no schema for it
			}
			if err := writeSchema(dir, definition.Spec.Names.Kind, definition.Spec.Group, version.Name, schema); err != nil {
				return err
			}
		}
	}
}

// writeSchema writes a schema under the file name that kubeconform expects.
func writeSchema(dir, kind, group, version string, schema map[string]any) error {
	suffix := "-" + version
	if group != "" {
		first, _, _ := strings.Cut(group, ".")
		suffix = "-" + first + suffix
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, strings.ToLower(kind)+suffix+".json"), text, 0o600)
}
