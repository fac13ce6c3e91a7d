package account

import "time"

// What a wrong password costs: nothing at first, then a pause that doubles, at last the end of trying.
const (
	freeFailures = 5
	LongestPause = 15 * time.Minute
	MaxFailures  = 100 // in a row; then an administrator or a reset must help
)

// Pause is how long after the given number of failures in a row the next attempt must wait.
func Pause(failures int) time.Duration {
	if failures <= freeFailures {
		return 0
	}
	pause := time.Second
	for range failures - freeFailures - 1 {
		if pause *= 2; pause >= LongestPause {
			return LongestPause
		}
	}
	return pause
}
