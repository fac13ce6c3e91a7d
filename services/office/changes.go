package office

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Change is a key whose value differs between two values of a section. Key is a JSON pointer. Before or After is null
// if that value lacks the key.
type Change struct {
	Key    string         `json:"key"`
	Before jsontext.Value `json:"before"`
	After  jsontext.Value `json:"after"`
}

// Changes lists the keys whose values differ between two values of a section. The members of objects, and of lists of
// the same length, are compared one by one.
func Changes(before, after jsontext.Value) ([]Change, error) {
	var was, is any
	if err := json.Unmarshal(before, &was); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(after, &is); err != nil {
		return nil, err
	}
	return differences(nil, "", was, is)
}

func differences(found []Change, key jsontext.Pointer, before, after any) ([]Change, error) {
	if reflect.DeepEqual(before, after) {
		return found, nil
	}
	was, is := members(before), members(after)
	if was == nil || is == nil || isList(before) != isList(after) || isList(before) && len(was) != len(is) {
		one, err := json.Marshal(before, json.Deterministic(true))
		if err != nil {
			return nil, err
		}
		other, err := json.Marshal(after, json.Deterministic(true))
		return append(found, Change{string(key), one, other}), err
	}
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var err error
		if found, err = differences(found, key.AppendToken(name), was[name], is[name]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// members returns the members of an object or a list by their names or indexes, nil for other values.
func members(value any) map[string]any {
	if object, is := value.(map[string]any); is {
		return object
	}
	list, is := value.([]any)
	if !is {
		return nil
	}
	byIndex := map[string]any{}
	for i, element := range list {
		byIndex[strconv.Itoa(i)] = element
	}
	return byIndex
}

func isList(value any) bool { _, is := value.([]any); return is }
