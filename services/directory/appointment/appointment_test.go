package appointment_test

import (
	"strings"
	"testing"

	"baari.dev/services/directory/appointment"
)

// S5.appt.05: an address has the form local@domain.tld, in any case.
func TestIsEmail(t *testing.T) {
	for text, valid := range map[string]bool{"asha@example.com": true, "A.B+c'd@Mail.Example.CO.IN": true,
		"asha@example": false, "asha": false, "@example.com": false,
		"a@b..com": false, "a..b@example.com": false, "asha @example.com": false, "asha@example.com ": false,
		"asha@ex_ample.com": false, "a@-b.com": false,
		strings.Repeat("a", 250) + "@b.com": false, "asha@example.com\n": false} {
		if appointment.IsEmail(text) != valid {
			t.Errorf("%q: %v", text, !valid)
		}
	}
}

func TestIsDay(t *testing.T) {
	for text, valid := range map[string]bool{"2026-11-23": true, "2028-02-29": true, "2026-02-29": false,
		"2026-13-01": false, "23-11-2026": false, "2026-1-2": false, "": false} {
		if appointment.IsDay(text) != valid {
			t.Errorf("%q: %v", text, !valid)
		}
	}
}

func TestIsTime(t *testing.T) {
	for text, valid := range map[string]bool{"09:00": true, "23:59": true, "24:00": false, "9:00": false,
		"09:00:00": false, "": false} {
		if appointment.IsTime(text) != valid {
			t.Errorf("%q: %v", text, !valid)
		}
	}
}
