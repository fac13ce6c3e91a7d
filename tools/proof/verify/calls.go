package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Call is one operation of a service's API document. Each service's tests compare the document with its routes.
type Call struct {
	Service      string
	Method, Path string
	Fields       []string // fields of a JSON body
	Query        []string
	Headers      []string
}

// document is the part of an OpenAPI document that is read here.
type document struct {
	Paths      map[string]pathItem `yaml:"paths"`
	Components struct {
		Schemas    map[string]schema    `yaml:"schemas"`
		Parameters map[string]parameter `yaml:"parameters"`
	} `yaml:"components"`
}

// pathItem has the operations of one path, and the parameters that all of them have.
type pathItem struct {
	Parameters []parameter          `yaml:"parameters"`
	Operations map[string]operation `yaml:",inline"`
}

type operation struct {
	Parameters  []parameter `yaml:"parameters"`
	RequestBody struct {
		Content map[string]struct {
			Schema schema `yaml:"schema"`
		} `yaml:"content"`
	} `yaml:"requestBody"`
}

type parameter struct {
	Ref  string `yaml:"$ref"`
	Name string `yaml:"name"`
	In   string `yaml:"in"`
}

type schema struct {
	Ref        string         `yaml:"$ref"`
	Properties map[string]any `yaml:"properties"`
}

// ReadCalls reads the API document of each service under root/services and returns its operations, sorted by path.
func ReadCalls(root string) ([]Call, error) {
	files, err := filepath.Glob(filepath.Join(root, "services", "*", "api.yaml"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no API document under %s: %w", root, err)
	}
	common, err := readDocument(filepath.Join(root, "services", "contract", "common.yaml"))
	if err != nil {
		return nil, err
	}
	var calls []Call
	for _, file := range files {
		own, err := readDocument(file)
		if err != nil {
			return nil, err
		}
		service := filepath.Base(filepath.Dir(file))
		for path, item := range own.Paths {
			for method, operation := range item.Operations {
				operation.Parameters = append(operation.Parameters, item.Parameters...)
				call := Call{Service: service, Method: strings.ToUpper(method), Path: path}
				call.describe(operation, own, common)
				calls = append(calls, call)
			}
		}
	}
	slices.SortFunc(calls, func(a, b Call) int { return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method) })
	return calls, nil
}

func readDocument(path string) (document, error) {
	var d document
	text, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(text, &d)
	}
	if err != nil {
		return d, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// describe adds the query parameters, headers and body fields of an operation to the call.
func (c *Call) describe(operation operation, own, common document) {
	for _, p := range operation.Parameters {
		if name := p.Ref[strings.LastIndex(p.Ref, "/")+1:]; p.Ref != "" {
			p = common.Components.Parameters[name]
			if found, ok := own.Components.Parameters[name]; ok {
				p = found
			}
		}
		switch p.In {
		case "query":
			c.Query = append(c.Query, p.Name)
		case "header":
			c.Headers = append(c.Headers, p.Name)
		}
	}
	body := operation.RequestBody.Content["application/json"].Schema
	if name := body.Ref[strings.LastIndex(body.Ref, "/")+1:]; body.Ref != "" {
		body = own.Components.Schemas[name]
	}
	for name := range body.Properties {
		c.Fields = append(c.Fields, name)
	}
	slices.Sort(c.Fields)
}
