package canary

import (
	"encoding/json"
	"os"
	"testing"

	"baari.dev/tools/sample/client"
)

// system is a running system after the browser's tests, as BAARI_SEARCHED describes it.
type system struct {
	URL      string
	Accounts []client.Account
	Places   places
}

// An erased visitor is in no table afterwards. Logs and metrics have no personal data of any visitor.
func TestASystemKeepsNoPersonalDataWhereNoneBelongs(t *testing.T) {
	text := os.Getenv("BAARI_SEARCHED")
	if text == "" {
		t.Skip("part browser runs it on the systems of its tests")
	}
	var at system
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		t.Fatal(err)
	}
	if err := forget(t, at); err != nil {
		t.Error(err)
	}
	if err := at.Places.check(t.Context(), forgotten...); err != nil {
		t.Error(err)
	}
}
