package account

import "time"

// Limits of consecutive wrong passwords: the first freeFailures cause no pause, the next one a pause of one second, and
// each further one doubles the pause up to LongestPause. After MaxFailures only known browsers can sign in.
const (
	freeFailures = 5
	LongestPause = 15 * time.Minute
	MaxFailures  = 100 // consecutive failures; then a password reset or an administrator must reopen sign-in
)

// Pause returns how long the next attempt must wait after the given number of consecutive failures.
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
