package auth

import (
	"crypto/hmac"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Device cookies (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies): a browser that
// has signed in carries a signed mark of it. Failed sign-ins with a valid mark are counted by themselves, so guesses from
// elsewhere do not make that browser wait. The mark gives no access: the password is still needed.
const (
	deviceCookie = "baari.device"
	deviceLife   = 90 * 24 * time.Hour
	maxDevices   = 8 // accounts that one browser is known for; a front desk is shared
)

// deviceMark is nonce.issued.signature. The address it was issued for is signed but not in it.
var deviceMark = regexp.MustCompile(`^([A-Za-z0-9]{24})\.([0-9]{1,12})\.([A-Za-z0-9+/]{43}=)$`)

// device is a mark whose signature is good for the address of a sign-in.
type device struct {
	Nonce  string
	Issued time.Time
}

// expired reports whether the mark is too old to count.
func (d device) expired(now time.Time) bool { return now.Sub(d.Issued) >= deviceLife }

// browser is what a browser that signs in has kept from earlier sign-ins.
type browser struct {
	session string   // the token of the session cookie, "" without one
	marks   []string // device marks, not verified: the newest first
}

// browser reads the cookies of a sign-in or sign-up.
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

// device finds the mark that was issued for an address.
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

// signMark signs a text that no session token or link can be: those have no line breaks.
func (c cookies) signMark(nonce, issued, email string) string {
	return c.signer.signature("device\n" + nonce + "\n" + issued + "\n" + email)
}

// setDevice adds the cookie of a browser that has signed in to an address: a new mark for it, before those that the
// browser has for other addresses.
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
