package office

import (
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/platform/wire"
)

// cleaner cleans the texts of a decoded value as the fields of the API are cleaned, and collects those with forbidden
// characters. The texts of a notice are checked and stay as they are, because visitors have accepted them letter by
// letter.
type cleaner struct {
	exact    bool
	problems Problems
}

// value returns a value whose texts, and names of members, are cleaned. A text without a visible character is empty.
func (c *cleaner) value(at jsontext.Pointer, value any) any {
	switch value := value.(type) {
	case string:
		return c.text(at, value)
	case []any:
		list := make([]any, len(value))
		for i, entry := range value {
			list[i] = c.value(at.AppendToken(strconv.Itoa(i)), entry)
		}
		return list
	case map[string]any:
		object := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			member := at.AppendToken(name)
			clean := c.text(member, name)
			_, twice := object[clean]
			c.problems.when(twice, string(member), "is there twice")
			object[clean] = c.value(member, value[name])
		}
		return object
	}
	return value
}

func (c *cleaner) text(at jsontext.Pointer, text string) string {
	clean := wire.Clean(text, isLong(at.LastToken()))
	if clean.Illegal {
		c.problems = append(c.problems, Problem{Key: string(at), What: "has forbidden characters", Code: IllegalText})
	}
	switch {
	case clean.Empty:
		return ""
	case c.exact:
		return text
	}
	return clean.Value
}

// isLong reports whether the texts of a member may have several lines.
func isLong(name string) bool { return name == "text" || name == "children" }
