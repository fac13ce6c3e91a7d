package visit

import (
	"cmp"
	"fmt"
	"time"
)

// SeriesT is the series of tokens that the service numbers. A to H are for the tokens of paired desks without network.
const SeriesT = "T"

// Token formats a number of a series for the visitor: T-001, and T-1000 after T-999. An empty series, as in events of
// old releases, means T.
func Token(series string, number int) string {
	return fmt.Sprintf("%s-%03d", cmp.Or(series, SeriesT), number)
}

// Token returns the token of the visit.
func (v Visit) Token() string { return Token(v.Series, v.TokenNo) }

// Arrival returns the time of the visitor's arrival: the registration, or for an offline visit the time that its paired
// desk has noted.
func (v Visit) Arrival() time.Time {
	if v.ArrivedAt != nil {
		return *v.ArrivedAt
	}
	return v.CreatedAt
}
