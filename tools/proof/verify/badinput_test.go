package verify

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// T8: the file has at least 500 strings, and some of each kind that the requirements name.
func TestTheBadInputsAreManyAndOfEveryKind(t *testing.T) {
	inputs, err := ReadBadInputs("badinput.tsv")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, input := range inputs {
		kinds[input.Kind]++
		if input.IsText() && utf8.ValidString(input.Text) {
			var back string
			if err := json.Unmarshal([]byte(input.JSON()), &back); err != nil || back != input.Text {
				t.Errorf("%q goes out as %s: %v", input.Text, input.JSON(), err)
			}
		}
	}
	if len(inputs) < 500 {
		t.Errorf("%d inputs", len(inputs))
	}
	for _, kind := range []string{
		"sql", "xss", "crlf", "nul", "broken utf-8", "script", "emoji", "bidi", "invisible", "normal form", "long",
		"formula", "path", "template", "format", "number", "json: type", "json: number", "json: text", "json: syntax",
	} {
		if kinds[kind] < 8 {
			t.Errorf("%d inputs of kind %s", kinds[kind], kind)
		}
	}
}
