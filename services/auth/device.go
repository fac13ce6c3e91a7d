package auth

import (
	"crypto/hmac"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Device cookies (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies): a browser
// that has signed in has a cookie with a signed device mark. Wrong passwords with a valid mark have their own
// counter, so guesses from other browsers do not delay this one. A mark gives no access without the password.
const (
	deviceCookie = "baari.device"
	deviceLife   = 90 * 24 * time.Hour
	maxDevices   = 8 // marks in one cookie, one per account; browsers at a front desk are shared
)

// deviceMark matches nonce.issued.signature. The signature also covers the address, which the mark does not contain.
var deviceMark = regexp.MustCompile(`^([A-Za-z0-9]{24})\.([0-9]{1,12})\.([A-Za-z0-9+/]{43}=)$`)

// device is a mark with a valid signature for an address.
type device struct {
	Nonce  string
	Issued time.Time
}

// expired reports whether the mark is 90 days old or older.
func (d device) expired(now time.Time) bool { return now.Sub(d.Issued) >= deviceLife }

// browser holds the cookies that a browser has from earlier sign-ins.
type browser struct {
	session string   // the session token, "" without a valid session cookie
	marks   []string // device marks, newest first; their signatures are not verified yet
}

// browser reads the cookies of a request.
func (c cookies) browser(r *http.Request) browser {
	kept := browser{session: c.sessionToken(r)}
	cookie, err := r.Cookie(c.name(deviceCookie))
	if err != nil {
		return kept
	}
	for mark := range strings.SplitSeq(cookie.Value, "~") {
		if len(kept.marks) < maxDevices && deviceMark.MatchString(mark) {
			kept.marks = append(kept.marks, mark)
		}
	}
	return kept
}

// device returns the first mark with a valid signature for an address.
func (c cookies) device(marks []string, email string) (device, bool) {
	for _, mark := range marks {
		if found, ok := c.openMark(mark, email); ok {
			return found, true
		}
	}
	return device{}, false
}

func (c cookies) openMark(mark, email string) (device, bool) {
	parts := deviceMark.FindStringSubmatch(mark)
	if parts == nil {
		return device{}, false
	}
	seconds, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || !hmac.Equal([]byte(parts[3]), []byte(c.signMark(parts[1], parts[2], email))) {
		return device{}, false
	}
	return device{Nonce: parts[1], Issued: time.Unix(seconds, 0)}, true
}

// signMark signs a text with line breaks, which session tokens and links do not have: their signatures differ.
func (c cookies) signMark(nonce, issued, email string) string {
	return c.signer.signature("device\n" + nonce + "\n" + issued + "\n" + email)
}

// setDevice adds the device cookie after a sign-in to an address: a new mark for the address, then the browser's marks
// for other addresses.
func (c cookies) setDevice(header http.Header, marks []string, email string, now time.Time) {
	nonce, issued := randomText(resetLength), strconv.FormatInt(now.Unix(), 10)
	kept := []string{nonce + "." + issued + "." + c.signMark(nonce, issued, email)}
	for _, mark := range marks {
		if _, same := c.openMark(mark, email); !same && len(kept) < maxDevices {
			kept = append(kept, mark)
		}
	}
	header.Add("Set-Cookie", c.make(deviceCookie, strings.Join(kept, "~"), int(deviceLife.Seconds())))
}
