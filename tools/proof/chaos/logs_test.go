package chaos

import "testing"

func TestALineOfALogIsOfOneRequest(t *testing.T) {
	const line = "time=2026-11-22T10:00:00Z level=ERROR msg=rejected service=visits request_id=chaos-1-12 code=internal\n"
	for id, want := range map[string]bool{"chaos-1-12": true, "chaos-1-1": false, "chaos-1-123": false} {
		if namesRequest(line, id) != want {
			t.Errorf("%s: not %v", id, want)
		}
	}
}
