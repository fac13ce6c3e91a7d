package seed

import (
	"errors"
	"net/http"
	"testing"

	"baari.dev/services/operate"
)

// A call is repeated while the service is busy. Other errors are returned, and so is the last busy answer.
func TestAnImportIsMadeAgainWhileTheServiceIsBusy(t *testing.T) {
	busy := &operate.Rejected{Service: "visits", Status: http.StatusServiceUnavailable}
	wrong := &operate.Rejected{Service: "visits", Status: http.StatusBadRequest}
	for name, c := range map[string]struct {
		answers []error // The last answer is repeated for further calls.
		want    error
		calls   int
	}{
		"busy twice":  {[]error{busy, busy, nil}, nil, 3},
		"wrong":       {[]error{wrong}, wrong, 1},
		"always busy": {[]error{busy}, busy, mostTries},
	} {
		calls := 0
		err := patiently(t.Context(), 0, func() error {
			calls++
			return c.answers[min(calls, len(c.answers))-1]
		})
		if !errors.Is(err, c.want) || calls != c.calls {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
}
