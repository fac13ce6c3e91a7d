package bench

import "testing"

func TestLineBreaksAreCountedAcrossWrites(t *testing.T) {
	lines := lineCounter(0)
	for _, piece := range []string{"a,b\r\n", "c,", "d\r\ne,f\r\n"} {
		if n, err := lines.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("wrote %d, %v", n, err)
		}
	}
	if lines != 3 {
		t.Errorf("counted %d lines", lines)
	}
}

func TestEveryStatementIsEmbeddedWithoutItsComments(t *testing.T) {
	for _, name := range []string{
		"tables", "create", "deny", "arrive", "past", "fill_visits", "fill_directory", "fill_audit", "copy", "pages",
	} {
		if text := statement(name); comments.MatchString(text) || len(text) < 50 {
			t.Errorf("%s is %q", name, text)
		}
	}
}
