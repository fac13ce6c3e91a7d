package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The files that follow from the schema of the office document.
const (
	officeSchema = "services/office/office.schema.json"
	officeValues = "charts/baari/values.schema.json"
	officeAPI    = "services/directory/api.yaml"
	officeTexts  = "web/src/locales/en/settings.json"
)

// object is a JSON object with its members in their order.
type object []member

type member struct {
	name  string
	value any // object, []any, string, json.Number, bool or nil
}

func (o object) get(name string) any {
	for _, one := range o {
		if one.name == name {
			return one.value
		}
	}
	return nil
}

func (o object) without(names ...string) object {
	return slices.DeleteFunc(slices.Clone(o), func(one member) bool { return slices.Contains(names, one.name) })
}

// MarshalJSON keeps the order of the members.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for i, one := range o {
		out.WriteByte("{,"[min(i, 1)])
		for j, part := range []any{one.name, one.value} {
			text, err := plainJSON(part)
			if err != nil {
				return nil, err
			}
			out.WriteString([]string{"", ":"}[j])
			out.Write(text)
		}
	}
	if len(o) == 0 {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// plainJSON encodes a value without escapes for HTML.
func plainJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(out.Bytes()), err
}

func decodeOrdered(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		all := object{}
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			value, err := decodeOrdered(decoder)
			if err != nil {
				return nil, err
			}
			all = append(all, member{fmt.Sprint(name), value})
		}
		_, err = decoder.Token()
		return all, err
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			value, err := decodeOrdered(decoder)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = decoder.Token()
		return list, err
	}
	return token, nil
}

// eachOfficeFile calls do for each file that follows from the schema, with its text before and after.
func eachOfficeFile(root string, do func(path string, before, after []byte) error) error {
	text, err := os.ReadFile(filepath.Join(root, officeSchema))
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	decoded, err := decodeOrdered(decoder)
	if err != nil {
		return fmt.Errorf("%s: %w", officeSchema, err)
	}
	schema, _ := decoded.(object)
	for name, fill := range map[string]func(object, []byte) ([]byte, error){
		officeValues: fillOfficeValues, officeAPI: fillOfficeAPI, officeTexts: fillOfficeTexts,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		before, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		after, err := fill(schema, before)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := do(path, before, after); err != nil {
			return err
		}
	}
	return nil
}

// rewritten returns a schema with change applied to each of its objects, inner ones first.
func rewritten(node any, change func(object) object) any {
	switch node := node.(type) {
	case object:
		all := object{}
		for _, one := range node {
			all = append(all, member{one.name, rewritten(one.value, change)})
		}
		return change(all)
	case []any:
		list := make([]any, len(node))
		for i, one := range node {
			list[i] = rewritten(one, change)
		}
		return list
	}
	return node
}

// isSchema reports whether an object is a schema, not the members of properties, definitions or a default.
func isSchema(o object) bool {
	_, typed := o.get("type").(string)
	_, types := o.get("type").([]any)
	_, referred := o.get("$ref").(string)
	return typed || types || referred
}

// fillOfficeValues replaces the schema of the chart's value office. No key is required, because the values are merged
// onto the default document.
func fillOfficeValues(schema object, before []byte) ([]byte, error) {
	value := rewritten(schema.without("$schema", "$id"), func(o object) object {
		if !isSchema(o) {
			return o
		}
		o = o.without("required", "x-section", "x-shown", "x-public")
		for i, one := range o {
			if target, is := one.value.(string); is && one.name == "$ref" {
				o[i].value = strings.Replace(target, "#/", "#/properties/office/", 1)
			}
		}
		return o
	})
	office, _ := value.(object)
	for i, one := range office {
		if one.name == "description" {
			office[i].value = "what differs from the default office document, services/office/office.json; " +
				"a list replaces the whole list"
		}
	}
	from, to, err := rangeOf(before, "properties", "office")
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(office, "    ", "  ")
	return slices.Concat(before[:from], text, before[to:]), err
}

// rangeOf returns where the value of a key in a JSON text begins and ends.
func rangeOf(text []byte, path ...string) (from, to int, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for depth := 0; ; {
		token, err := decoder.Token()
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", strings.Join(path, "/"), err)
		}
		if token == json.Delim('{') {
			continue
		}
		var value json.RawMessage
		if name, is := token.(string); is && name == path[depth] {
			if depth++; depth < len(path) {
				continue
			}
			err := decoder.Decode(&value)
			end := int(decoder.InputOffset())
			return end - len(value), end, err
		}
		if err := decoder.Decode(&value); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", strings.Join(path, "/"), err)
		}
	}
}

// fillOfficeTexts returns the titles and descriptions of the settings, by the JSON pointer of each.
func fillOfficeTexts(schema object, _ []byte) ([]byte, error) {
	all := object{}
	for _, one := range describedSettings(schema) {
		all = append(all, member{one.pointer, object{
			{"title", one.node.get("title")}, {"description", one.node.get("description")},
		}})
	}
	text, err := json.MarshalIndent(object{{"setting", all}}, "", "  ")
	return append(text, '\n'), err
}

// setting is a key with a title.
type setting struct {
	pointer string
	node    object
}

// describedSettings lists the settings of a schema in their order.
func describedSettings(schema object) (all []setting) {
	definitions, _ := schema.get("definitions").(object)
	var walk func(node object, pointer string)
	walk = func(node object, pointer string) {
		if node.get("title") != nil && pointer != "" {
			all = append(all, setting{pointer, node})
			return
		}
		if name, is := node.get("$ref").(string); is {
			node, _ = definitions.get(strings.TrimPrefix(name, "#/definitions/")).(object)
		}
		properties, _ := node.get("properties").(object)
		for _, one := range properties {
			inner, _ := one.value.(object)
			walk(inner, pointer+"/"+one.name)
		}
	}
	walk(schema, "")
	return all
}
