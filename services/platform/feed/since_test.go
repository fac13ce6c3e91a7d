package feed_test

import (
	"testing"

	"baari.dev/services/platform/feed"
)

func TestAnUnreadableSinceIsTheZeroValue(t *testing.T) {
	at := feed.Since{Position: feed.Position{Epoch: "e", Seq: 7}, Day: "2026-11-25", Role: "pa"}
	for text, want := range map[string]feed.Since{
		at.String():                           at,
		"e.0.2026-11-25.pa":                   {Position: feed.Position{Epoch: "e"}, Day: "2026-11-25", Role: "pa"},
		"":                                    {},
		"e.7.2026-11-25":                      {},
		"e.7.2026-11-25.pa.x":                 {},
		"e.-1.2026-11-25.pa":                  {},
		"e.x.2026-11-25.pa":                   {},
		"e.9223372036854775808.2026-11-25.pa": {},
	} {
		if got := feed.ParseSince(text); got != want {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}
