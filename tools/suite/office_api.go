package suite

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// officeSection matches the generated section of directory's API document.
var officeSection = regexp.MustCompile(`(?s)([^\n]*begin generated: office\n)(.*?)([^\n]*end generated\n)`)

// fillOfficeAPI replaces the schemas of the office: Office without keys that are not public, OfficeSettings with the
// sections of the settings, and the schemas of both that the document's schema defines.
func fillOfficeAPI(schema object, before []byte) ([]byte, error) {
	if !officeSection.Match(before) {
		return nil, fmt.Errorf("the file has no section %q", "office")
	}
	var all object
	definitions, _ := schema.get("definitions").(object)
	for _, one := range definitions {
		whole, _ := one.value.(object)
		all = append(all,
			member{"Office" + one.name, apiOf(publicOf(whole), "", true)},
			member{"Office" + one.name + "Settings", apiOf(whole, "Settings", true)},
		)
	}
	office := apiOf(publicOf(schema.without("definitions", "$schema", "$id", "description")), "", false)
	version := object{{"type", "integer"}, {"minimum", 1}, {"description", "The number of the document."}}
	for i, one := range office {
		if properties, is := one.value.(object); is && one.name == "properties" {
			office[i].value = append(slices.Clone(properties), member{"version", version})
		}
	}
	all = append(all, member{"Office", office}, member{"OfficeSettings", sectionsOf(schema)})
	text, err := plainJSON(all)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for i, one := range all {
		referred := bytes.Contains(text, []byte(`"#/components/schemas/`+one.name+`"`))
		if referred || i >= len(all)-2 {
			writeYAML(&out, one.name, one.value, 4)
		}
	}
	return officeSection.ReplaceAllFunc(before, func(found []byte) []byte {
		parts := officeSection.FindSubmatch(found)
		return slices.Concat(parts[1], out.Bytes(), parts[3])
	}), nil
}

// propertiesOf returns the properties of a schema.
func propertiesOf(node object) object {
	properties, _ := node.get("properties").(object)
	return properties
}

// publicOf returns a schema without the properties that are not public.
func publicOf(node object) object {
	var hidden []string
	for _, one := range propertiesOf(node) {
		if inner, _ := one.value.(object); inner.get("x-public") == false {
			hidden = append(hidden, one.name)
		}
	}
	node = slices.Clone(node)
	for i, one := range node {
		switch value := one.value.(type) {
		case object:
			if one.name == "properties" {
				node[i].value = value.without(hidden...)
			}
		case []any:
			if one.name == "required" {
				node[i].value = slices.DeleteFunc(slices.Clone(value), func(name any) bool {
					return slices.Contains(hidden, fmt.Sprint(name))
				})
			}
		}
	}
	return node
}

// apiOf returns a schema in the form of the API document. Keys with a default are always in an answer: if answered is
// true, they are required. suffix is that of schemas that have keys which are not public.
func apiOf(node object, suffix string, answered bool) object {
	changed := rewritten(node, func(o object) object {
		if !isSchema(o) {
			return o
		}
		if target, is := o.get("$ref").(string); is {
			name := "Office" + strings.TrimPrefix(target, "#/definitions/")
			if name == "OfficeAppointments" {
				name += suffix
			}
			kept := object{{"$ref", "#/components/schemas/" + name}}
			if value := o.get("default"); value != nil {
				kept = append(kept, member{"default", value}) // requiredOf reads it, plainRefs removes it
			}
			return kept
		}
		if answered {
			o = requiredOf(o)
		}
		var api object
		for _, one := range o.without("title", "x-section", "x-shown", "x-public", "additionalProperties") {
			switch value := one.value.(type) {
			case object:
				switch one.name {
				case "patternProperties":
					one = member{"additionalProperties", value[0].value}
				case "properties":
					one.value = plainRefs(value)
				}
			case []any:
				if one.name == "examples" {
					one = member{"example", value[0]}
				}
			}
			api = append(api, one)
		}
		if closed := o.get("additionalProperties"); closed != nil && o.get("patternProperties") == nil {
			api = append(api, member{"additionalProperties", closed})
		}
		return api
	})
	api, _ := changed.(object)
	return api
}

// requiredOf adds the properties with a default to those that are required.
func requiredOf(o object) object {
	properties := propertiesOf(o)
	required, _ := o.get("required").([]any)
	var all []any
	for _, one := range properties {
		inner, _ := one.value.(object)
		if slices.Contains(required, any(one.name)) || inner.get("default") != nil {
			all = append(all, one.name)
		}
	}
	if len(all) == 0 {
		return o
	}
	return append(o.without("required"), member{"required", all})
}

// plainRefs removes what stands beside references, which OpenAPI ignores.
func plainRefs(properties object) object {
	properties = slices.Clone(properties)
	for i, one := range properties {
		if inner, _ := one.value.(object); inner.get("$ref") != nil {
			properties[i].value = object{{"$ref", inner.get("$ref")}}
		}
	}
	return properties
}

// sectionsOf returns the schema of all sections: for each its version, its last change and its value.
func sectionsOf(schema object) object {
	definitions, _ := schema.get("definitions").(object)
	var values object // the properties of each section's value
	add := func(section string, one member) {
		i := slices.IndexFunc(values, func(other member) bool { return other.name == section })
		if i < 0 {
			values, i = append(values, member{section, object{}}), len(values)
		}
		properties, _ := values[i].value.(object)
		properties = append(properties, one)
		values[i].value = properties
	}
	for _, one := range propertiesOf(schema) {
		node, _ := one.value.(object)
		if section, is := node.get("x-section").(string); is {
			add(section, one)
			continue
		}
		target, _ := node.get("$ref").(string)
		group, _ := definitions.get(strings.TrimPrefix(target, "#/definitions/")).(object)
		for _, inner := range propertiesOf(group) {
			of, _ := inner.value.(object)
			if section, is := of.get("x-section").(string); is {
				add(section, member{one.name, closedObject(object{inner})})
			}
		}
	}
	sections := object{}
	for _, one := range values {
		properties, _ := one.value.(object)
		value := apiOf(closedObject(grouped(properties)), "Settings", true)
		sections = append(sections, member{one.name, closedObject(object{
			{"version", object{{"type", "integer"}, {"minimum", 1}}},
			{"changedAt", object{{"$ref", "../contract/common.yaml#/components/schemas/Timestamp"}}},
			{"changedBy", object{{"$ref", "#/components/schemas/OfficeAuthor"}}},
			{"value", value},
		})})
	}
	return closedObject(sections)
}

// grouped joins properties of the same name, whose schemas are objects.
func grouped(properties object) (all object) {
	for _, one := range properties {
		i := slices.IndexFunc(all, func(other member) bool { return other.name == one.name })
		if i < 0 {
			all = append(all, one)
			continue
		}
		first, _ := all[i].value.(object)
		second, _ := one.value.(object)
		all[i].value = closedObject(slices.Concat(propertiesOf(first), propertiesOf(second)))
	}
	return all
}

// closedObject returns the schema of an object with exactly these properties.
func closedObject(properties object) object {
	names := make([]any, len(properties))
	for i, one := range properties {
		names[i] = one.name
	}
	return object{
		{"type", "object"}, {"additionalProperties", false}, {"required", names}, {"properties", properties},
	}
}

// writeYAML writes a member of a YAML mapping. Texts are in double quotes, and lists on one line.
func writeYAML(out *bytes.Buffer, name string, value any, indent int) {
	if name == "on" || strings.HasPrefix(name, "$") {
		name = `"` + name + `"`
	}
	fmt.Fprintf(out, "%*s%s:", indent, "", name)
	inner, is := value.(object)
	if !is || len(inner) == 0 {
		text, _ := plainJSON(value) // decoded JSON, or values of this file
		fmt.Fprintf(out, " %s\n", bytes.ReplaceAll(text, []byte(`","`), []byte(`", "`)))
		return
	}
	out.WriteByte('\n')
	for _, one := range inner {
		writeYAML(out, one.name, one.value, indent+2)
	}
}
