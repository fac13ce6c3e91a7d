package chaos

import "testing"

func TestALineOfALogIsOfOneRequest(t *testing.T) {
	line := "level=ERROR msg=rejected service=visits trace_id=" + traceOf("chaos-1-12") + " code=internal\n"
	for name, want := range map[string]bool{"chaos-1-12": true, "chaos-1-1": false, "chaos-1-123": false} {
		if isOf(line, name) != want {
			t.Errorf("%s: not %v", name, want)
		}
	}
}
