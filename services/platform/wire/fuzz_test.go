package wire_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

type plain struct {
	Name  string         `json:"name"`
	Count int64          `json:"count"`
	At    *wire.Time     `json:"at"`
	Tags  []string       `json:"tags"`
	Other jsontext.Value `json:"other"`
}

// T5: every body is either rejected as a bad body, or still has the same meaning after it is written and read again.
func FuzzDecode(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		var fields form
		if err := wire.Decode(data, &fields); err != nil && fault.Of(err).Code != fault.ErrBadBody.Code {
			t.Fatalf("rejected with %v", err)
		}
		var first, again plain
		if wire.Decode(data, &first) != nil {
			return
		}
		text := written(t, first)
		if err := wire.Decode(text, &again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if second := written(t, again); !bytes.Equal(text, second) {
			t.Fatalf("written as %s, then as %s", text, second)
		}
	})
}

func written(t *testing.T, v plain) []byte {
	t.Helper()
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
