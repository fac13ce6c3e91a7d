package chaos

import "testing"

func TestRequestsAreKnownByAnswerOrTrace(t *testing.T) {
	var n requestNames
	for _, name := range []string{"chaos-1-1", "chaos-1-2"} {
		n.sent(name)
	}
	n.answered("chaos-1-1", "A")
	n.answered("chaos-1-2", "")
	const others = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, c := range []struct{ what, id, traceparent, want string }{
		{"answered", "A", traceparent("chaos-1-1"), "chaos-1-1"},
		{"answered, in the trail", "A", "", "chaos-1-1"},
		{"answered under another id", "C", traceparent("chaos-1-1"), "C"},
		{"another's id", "A", traceparent("chaos-1-2"), "chaos-1-1"},
		{"not answered, in the trail before its row was read", "B", "", "B"},
		{"not answered", "B", traceparent("chaos-1-2"), "chaos-1-2"},
		{"not answered, in the trail", "B", "", "chaos-1-2"},
		{"what follows from an event", "", traceparent("chaos-1-2"), ""},
		{"no robot's", "D", others, "D"},
		{"no trace", "E", "", "E"},
	} {
		if got := n.of(c.id, c.traceparent); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
