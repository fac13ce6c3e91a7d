package visit

import (
	"testing"
	"time"
)

func TestToken(t *testing.T) {
	for want, v := range map[string]Visit{
		"T-014":  {TokenNo: 14},
		"T-1000": {Series: SeriesT, TokenNo: 1000},
		"A-007":  {Series: "A", TokenNo: 7},
	} {
		if got := v.Token(); got != want {
			t.Errorf("the token is %s, want %s", got, want)
		}
	}
}

// A visitor of a paired desk without network arrives before the visit is registered here.
func TestArrival(t *testing.T) {
	noted, registered := time.Unix(100, 0), time.Unix(200, 0)
	if got := (Visit{CreatedAt: registered}).Arrival(); !got.Equal(registered) {
		t.Errorf("a visitor at the counter came at %v", got)
	}
	if got := (Visit{CreatedAt: registered, ArrivedAt: &noted}).Arrival(); !got.Equal(noted) {
		t.Errorf("a visitor of a desk without network came at %v", got)
	}
}
