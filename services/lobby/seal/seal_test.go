package seal

import (
	"bytes"
	"errors"
	"testing"
)

func TestASealedTextIsOpenedForItsRowOnly(t *testing.T) {
	box, other := New([]byte("one key of more than 32 characters")), New([]byte("another key of more than 32 characters"))
	text := []byte("Asha Rao\n9876543210")
	sealed := box.Seal("row", text)
	if got, err := box.Open("row", sealed); err != nil || !bytes.Equal(got, text) {
		t.Errorf("it is opened as %q: %v", got, err)
	}
	if bytes.Contains(sealed, []byte("Asha")) || bytes.Equal(sealed, box.Seal("row", text)) {
		t.Error("the text is readable, or two seals of it are equal")
	}
	changed := bytes.Clone(sealed)
	changed[len(changed)-1]++
	for name, open := range map[string]func() ([]byte, error){
		"another row":    func() ([]byte, error) { return box.Open("other", sealed) },
		"another key":    func() ([]byte, error) { return other.Open("row", sealed) },
		"a changed byte": func() ([]byte, error) { return box.Open("row", changed) },
		"a short text":   func() ([]byte, error) { return box.Open("row", sealed[:5]) },
	} {
		if got, err := open(); !errors.Is(err, ErrBroken) || got != nil {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}

func TestAMarkFindsTheSameText(t *testing.T) {
	box, other := New([]byte("one key of more than 32 characters")), New([]byte("another key of more than 32 characters"))
	if !bytes.Equal(box.Mark("9876543210"), box.Mark("9876543210")) {
		t.Error("a text has two marks")
	}
	if bytes.Equal(box.Mark("9876543210"), box.Mark("9876543211")) ||
		bytes.Equal(box.Mark("9876543210"), other.Mark("9876543210")) {
		t.Error("two texts, or two keys, have one mark")
	}
}
