// Package link has the rules of a visitor's link: its code, and when it ends.
package link

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"
	"time"
)

const (
	letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ" // Crockford's base32
	length  = 20                                 // letters of a code: 100 bits
	source  = 13                                 // bytes to encode: 104 bits, of which the code has the first 100
)

var alphabet = base32.NewEncoding(letters).WithPadding(base32.NoPadding)

// Code returns the code of a visit's link: the first 100 bits of HMAC-SHA-256 over the visit and the generation. Only
// its Hash is stored; with the key the code can be computed again.
func Code(key []byte, visitID string, generation int) string {
	return code(key, "link/", visitID, generation)
}

// AppointmentCode returns the code of an appointment's link, which is made like that of a visit's.
func AppointmentCode(key []byte, id string, generation int) string {
	return code(key, "appointment/", id, generation)
}

func code(key []byte, of, id string, generation int) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(of + id + "/" + strconv.Itoa(generation)))
	return alphabet.EncodeToString(mac.Sum(nil)[:source])[:length]
}

// Parse returns the code in a path segment, in which small letters are allowed. ok is false for any other text.
func Parse(segment string) (code string, ok bool) {
	if len(segment) != length || strings.Trim(segment, letters+strings.ToLower(letters)) != "" {
		return "", false
	}
	return strings.ToUpper(segment), true
}

// Hash returns the SHA-256 digest of a code, which is stored instead of the code.
func Hash(code string) []byte {
	sum := sha256.Sum256([]byte(code))
	return sum[:]
}

const (
	afterClosing = 2 * time.Hour
	afterEnd     = time.Hour
	goneFor      = 7 * 24 * time.Hour
)

// Ends returns when a link ends: two hours after the office closes on the visit's day, or an hour after the visit has
// ended, whichever is first. ended is nil for an open visit.
func Ends(closes time.Time, ended *time.Time) time.Time {
	ends := closes.Add(afterClosing)
	if ended != nil && ended.Add(afterEnd).Before(ends) {
		return ended.Add(afterEnd)
	}
	return ends
}

const afterSlot = 24 * time.Hour

// AppointmentEnds returns when the link of an appointment ends.
func AppointmentEnds(slot time.Time) time.Time { return slot.Add(afterSlot) }

// State is what a link shows.
type State int

// The states.
const (
	Open State = iota
	Gone       // the page says that the token is finished
	Unknown
)

// At returns the state of a link at the time in now. ends is when the link ends or has ended.
func At(now, ends time.Time) State {
	switch {
	case now.Before(ends):
		return Open
	case now.Before(ends.Add(goneFor)):
		return Gone
	}
	return Unknown
}
