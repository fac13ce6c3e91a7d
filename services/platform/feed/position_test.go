package feed_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"baari.dev/services/platform/feed"
)

func TestMalformedPositionsAreRejectedAsAWhole(t *testing.T) {
	for text, want := range map[string]map[string]feed.Position{
		"a=e:1":                   {"a": {Epoch: "e", Seq: 1}},
		"a=e:1;b=f:0":             {"a": {Epoch: "e", Seq: 1}, "b": {Epoch: "f"}},
		"a=e:1; b=f:2":            {"a": {Epoch: "e", Seq: 1}, "b": {Epoch: "f", Seq: 2}},
		"a=e:9223372036854775807": {"a": {Epoch: "e", Seq: 1<<63 - 1}},
		"":                        nil,
		"a":                       nil,
		"a=":                      nil,
		"a=e":                     nil,
		"a=e:":                    nil,
		"a=:1":                    nil,
		"=e:1":                    nil,
		"a=e:-1":                  nil,
		"a=e:x":                   nil,
		"a=e:1:2":                 nil,
		"a=e:9223372036854775808": nil,
		"a=e:1;":                  nil,
		"a=e:1;b":                 nil,
		"a=e:1;a=e:2":             nil,
	} {
		got, ok := feed.ParsePositions(text)
		if ok != (want != nil) || !maps.Equal(got, want) {
			t.Errorf("%q was read as %v, %v", text, got, ok)
		}
	}
}

// T5: a parsed position can be written and parsed again, with the same meaning.
func FuzzPositions(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		positions, ok := feed.ParsePositions(text)
		if !ok {
			if positions != nil {
				t.Errorf("rejected, and yet %v", positions)
			}
			return
		}
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(positions)) {
			parts = append(parts, positions[name].Header(name))
		}
		again, ok := feed.ParsePositions(strings.Join(parts, ";"))
		if !ok || !maps.Equal(again, positions) {
			t.Errorf("%v was written as %q and read as %v", positions, parts, again)
		}
	})
}
