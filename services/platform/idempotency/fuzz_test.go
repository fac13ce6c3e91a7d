package idempotency

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"baari.dev/services/platform/fault"
)

// T5: a key of 8 to 128 visible ASCII characters is accepted unchanged; any other is rejected as an error of the
// caller.
func FuzzKey(f *testing.F) {
	for _, seed := range []string{
		"", "1234567", "12345678", "0199b0a1-5c3e-7a11-9d6c-2f6f0a7b8c9d",
		strings.Repeat("k", 128), strings.Repeat("k", 129),
		"key with blank", "key\x00with-nul", "key\r\nX-Injected: 1", "कुंजीकुंजी",
		"\xff\xfe\xff\xfe\xff\xfe\xff\xfe", "\u202ekey-reversed",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		key, err := FromHeader(http.Header{HeaderKey: {sent}})
		var rejected *fault.Fault
		switch {
		case err != nil:
			if !errors.As(err, &rejected) || rejected.Kind != fault.Invalid || key != "" {
				t.Errorf("%q: %q, %v", sent, key, err)
			}
		case key != sent || len(key) < shortest || len(key) > longest || !utf8.ValidString(key) ||
			strings.ContainsAny(key, " \r\n\t\x00\x7f"):
			t.Errorf("%q was accepted as %q", sent, key)
		}
		if _, err := FromHeader(http.Header{HeaderKey: {sent, sent}}); err == nil {
			t.Errorf("two keys were taken for one: %q", sent)
		}
	})
}
