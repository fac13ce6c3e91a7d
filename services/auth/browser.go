package auth

import (
	"crypto/hmac"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"baari.dev/services/auth/data"
)

// A browser that has signed in has a cookie with a signed mark. OWASP calls it a device cookie
// (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). Wrong passwords with a valid
// mark have their own counter, so guesses from other browsers do not delay this browser. A mark gives no access without
// the password.
const (
	markCookie = "baari.device"
	markLife   = 90 * 24 * time.Hour
	mostMarks  = 8 // marks in one cookie, one per account; browsers at a front desk are shared
)

// markPattern matches nonce.issued.signature. The signature also covers the address, which the mark does not contain.
var markPattern = regexp.MustCompile(`^([A-Za-z0-9]{24})\.([0-9]{1,12})\.([A-Za-z0-9+/]{43}=)$`)

// browserMark is a mark with a valid signature for an address.
type browserMark struct {
	Nonce  string
	Issued time.Time
}

func (m browserMark) expired(now time.Time) bool { return now.Sub(m.Issued) >= markLife }

// browser holds the cookies that a browser has from earlier sign-ins.
type browser struct {
	session string   // the session token, "" without a valid session cookie
	marks   []string // newest first; their signatures are not verified yet
}

func (c cookies) browser(r *http.Request) browser {
	kept := browser{session: c.sessionToken(r)}
	cookie, err := r.Cookie(c.name(markCookie))
	if err != nil {
		return kept
	}
	for mark := range strings.SplitSeq(cookie.Value, "~") {
		if len(kept.marks) < mostMarks && markPattern.MatchString(mark) {
			kept.marks = append(kept.marks, mark)
		}
	}
	return kept
}

// mark returns the first mark with a valid signature for an address.
func (c cookies) mark(marks []string, email string) (browserMark, bool) {
	for _, mark := range marks {
		if found, ok := c.openMark(mark, email); ok {
			return found, true
		}
	}
	return browserMark{}, false
}

func (c cookies) openMark(mark, email string) (browserMark, bool) {
	parts := markPattern.FindStringSubmatch(mark)
	if parts == nil {
		return browserMark{}, false
	}
	seconds, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || !hmac.Equal([]byte(parts[3]), []byte(c.signMark(parts[1], parts[2], email))) {
		return browserMark{}, false
	}
	return browserMark{Nonce: parts[1], Issued: time.Unix(seconds, 0)}, true
}

// signMark signs a text with line breaks. Session tokens and links have none, so a signature of one kind is not valid
// for another.
func (c cookies) signMark(nonce, issued, email string) string {
	return c.signer.signature("device\n" + nonce + "\n" + issued + "\n" + email)
}

// setMark sets the cookie after a sign-in with the address email: a new mark for the address, then the browser's marks
// for other addresses.
func (c cookies) setMark(header http.Header, marks []string, email string, now time.Time) {
	nonce, issued := data.RandomText(data.LinkLength), strconv.FormatInt(now.Unix(), 10)
	kept := []string{nonce + "." + issued + "." + c.signMark(nonce, issued, email)}
	for _, mark := range marks {
		if _, same := c.openMark(mark, email); !same && len(kept) < mostMarks {
			kept = append(kept, mark)
		}
	}
	header.Add("Set-Cookie", c.make(markCookie, strings.Join(kept, "~"), int(markLife.Seconds())))
}
