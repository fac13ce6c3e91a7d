package visit

import (
	"cmp"
	"fmt"
	"time"
)

// SeriesT is the series of the office's counter. The series A to H are those of desks, for tokens without network.
const SeriesT = "T"

// Token formats a number of a series as it is shown to the visitor: T-001, and T-1000 after T-999. Events of the
// releases before series have none: their series is T.
func Token(series string, number int) string {
	return fmt.Sprintf("%s-%03d", cmp.Or(series, SeriesT), number)
}

// Token returns the token of the visit.
func (v Visit) Token() string { return Token(v.Series, v.TokenNo) }

// Arrival returns when the visitor came: the registration, or for an offline visit the time that its desk has noted.
func (v Visit) Arrival() time.Time {
	if v.ArrivedAt != nil {
		return *v.ArrivedAt
	}
	return v.CreatedAt
}
