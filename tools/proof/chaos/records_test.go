package chaos

import (
	"testing"

	"baari.dev/tools/proof/checker"
)

type heads = map[string]checker.Feed

func TestTheTrailIsReadWhenItHasEveryRow(t *testing.T) {
	at := func(epoch string, head int64) heads { return heads{"auth": {Epoch: epoch, Head: head}} }
	for name, c := range map[string]struct {
		applied, heads heads
		want           bool
	}{
		"up to the head":             {at("a", 3), at("a", 3), true},
		"further than an older head": {at("a", 4), at("a", 3), true},
		"before the head":            {at("a", 2), at("a", 3), false},
		"another epoch":              {at("a", 3), at("b", 3), false},
		"never applied":              {heads{}, at("a", 3), false},
		"no rows":                    {heads{}, at("a", 0), true},
		"a row without a number":     {at("a", 3), heads{"auth": {Epoch: "a", Head: 3, Unnumbered: 1}}, false},
	} {
		if got := reaches(c.applied, c.heads); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAnOutboxThatChangedMeanwhileIsReadAgain(t *testing.T) {
	read := heads{"auth": {Epoch: "a", Head: 3, Rows: []checker.Row{{}, {}, {}}}}
	for name, c := range map[string]struct {
		now  checker.Feed
		same bool
	}{
		"unchanged":              {checker.Feed{Epoch: "a", Head: 3}, true},
		"another row":            {checker.Feed{Epoch: "a", Head: 4}, false},
		"a row without a number": {checker.Feed{Epoch: "a", Head: 3, Unnumbered: 1}, false},
		"a restored database":    {checker.Feed{Epoch: "b", Head: 3}, false},
	} {
		if sameHeads(read, heads{"auth": c.now}) != c.same {
			t.Errorf("%s: not %v", name, c.same)
		}
	}
}

// A load test has onlookers without a provider of messages.
func TestARunWithoutAProviderHasNoMessages(t *testing.T) {
	r := newRun(Options{Root: t.TempDir(), Data: t.TempDir()})
	if sent := r.messages(&checker.Evidence{}); sent != nil {
		t.Errorf("messages %v", sent)
	}
}
