package stack

import (
	"slices"
	"testing"
)

func TestWhatOneCommandOfNodeIsToldIsNotToldToAnother(t *testing.T) {
	env := append(make([]string, 0, 8), "PATH=/bin") // with room behind it, where an append would write
	node := &Node{npm: "npm", env: env}
	one, other := node.Command(t.Context(), t.TempDir(), "playwright"), node.Npm(t.Context(), t.TempDir(), "test")
	one.Env = append(one.Env, "BAARI_URL=http://one")
	other.Env = append(other.Env, "BAARI_URL=http://other")
	if want := []string{"PATH=/bin", "BAARI_URL=http://one"}; !slices.Equal(one.Env, want) {
		t.Errorf("the first command was told %q, not %q", one.Env, want)
	}
	if want := []string{"PATH=/bin", "BAARI_URL=http://other"}; !slices.Equal(other.Env, want) {
		t.Errorf("the second command was told %q, not %q", other.Env, want)
	}
}
