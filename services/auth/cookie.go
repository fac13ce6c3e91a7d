package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"baari.dev/services/platform/identity"
)

// signer makes and reads what better-auth's cookies carry: a text and its HMAC.
type signer struct{ key []byte }

// sign returns text.signature.
func (s signer) sign(text string) string { return text + "." + s.signature(text) }

// open returns the text of text.signature; ok is false unless the signature is good.
func (s signer) open(signed string) (text string, ok bool) {
	at := strings.LastIndexByte(signed, '.')
	if at <= 0 {
		return "", false
	}
	text = signed[:at]
	return text, hmac.Equal([]byte(signed[at+1:]), []byte(s.signature(text)))
}

func (s signer) signature(text string) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// cookies writes and reads the session's cookies.
type cookies struct {
	signer signer
	secure bool // the site is on https
	maxAge int  // seconds a remembered session's cookie is kept
}

// The other cookies beside the session's own. session_data is better-auth's cache; it is never made, only cleared.
const (
	dontRemember = "better-auth.dont_remember"
	sessionData  = "better-auth.session_data"
)

func (c cookies) name(name string) string {
	if c.secure {
		return "__Secure-" + name
	}
	return name
}

func (c cookies) make(name, value string, maxAge int) string {
	//nolint:gosec // Secure follows the site's address: a desk on plain http could not sign in otherwise
	cookie := http.Cookie{Name: c.name(name), Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, Secure: c.secure, SameSite: http.SameSiteLaxMode}
	return cookie.String()
}

// set adds the headers that hand a live session to its owner.
func (c cookies) set(header http.Header, token string, remember bool) {
	signed := c.signer.sign(token)
	maxAge := c.maxAge
	if !remember {
		maxAge = 0 // no Max-Age: it ends with the browser
	}
	header.Add("Set-Cookie", c.make(identity.SessionCookie, url.QueryEscape(signed), maxAge))
	if !remember {
		header.Add("Set-Cookie", c.make(dontRemember, url.QueryEscape(c.signer.sign("true")), 0))
	}
	header.Set("Set-Auth-Token", signed)
	header.Set("Access-Control-Expose-Headers", "set-auth-token")
}

// clear adds the headers that take every cookie away.
func (c cookies) clear(header http.Header) {
	for _, name := range []string{identity.SessionCookie, sessionData, dontRemember} {
		header.Add("Set-Cookie", c.make(name, "", -1))
	}
}

// token finds the session token that a request offers, "" when there is none. A bearer stands before the
// cookie, plain or signed; one whose signature is bad is as if it were not there.
func (c cookies) token(r *http.Request) string {
	if bearer := identity.Bearer(r); bearer != "" {
		if token := c.plain(bearer); token != "" {
			return token
		}
	}
	return c.sessionToken(r)
}

// sessionToken is the token of the session cookie, "" when there is none or its signature is bad.
func (c cookies) sessionToken(r *http.Request) string {
	cookie, err := r.Cookie(c.name(identity.SessionCookie))
	if err != nil {
		return ""
	}
	value, err := url.PathUnescape(cookie.Value)
	if err != nil {
		return ""
	}
	token, ok := c.signer.open(value)
	if !ok {
		return ""
	}
	return token
}

// plain is the token of a bearer, "" when its signature is bad.
func (c cookies) plain(bearer string) string {
	if !strings.Contains(bearer, ".") {
		return bearer
	}
	token, ok := c.signer.open(bearer)
	if !ok {
		return ""
	}
	return token
}
