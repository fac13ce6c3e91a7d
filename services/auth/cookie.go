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

// signer signs the values of better-auth's cookies, and the marks of browsers, with HMAC-SHA256.
type signer struct{ key []byte }

// sign returns text.signature.
func (s signer) sign(text string) string { return text + "." + s.signature(text) }

// open returns the text of a signed value, which is text.signature; ok is false unless the signature is valid.
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

// cookies reads and writes the cookies of sessions and the marks of browsers.
type cookies struct {
	signer signer
	secure bool // the site uses https
	maxAge int  // seconds, for the cookie of a remembered session
}

// Cookies of better-auth besides identity.SessionCookie. Baari only clears session_data, the cache of better-auth.
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
	//nolint:gosec // Secure depends on the site's scheme: browsers would not send the cookie on plain http otherwise
	cookie := http.Cookie{
		Name:     c.name(name),
		Value:    value,
		Path:     "/",
		MaxAge:   maxAge,
		HttpOnly: true,
		Secure:   c.secure,
		SameSite: http.SameSiteLaxMode,
	}
	return cookie.String()
}

// set adds the cookies of a live session and the header set-auth-token.
func (c cookies) set(header http.Header, token string, remember bool) {
	signed := c.signer.sign(token)
	maxAge := c.maxAge
	if !remember {
		maxAge = 0 // no Max-Age: the cookie ends with the browser
	}
	header.Add("Set-Cookie", c.make(identity.SessionCookie, url.QueryEscape(signed), maxAge))
	if !remember {
		header.Add("Set-Cookie", c.make(dontRemember, url.QueryEscape(c.signer.sign("true")), 0))
	}
	header.Set("Set-Auth-Token", signed)
	header.Set("Access-Control-Expose-Headers", "set-auth-token")
}

// clear adds headers that delete the session's cookies.
func (c cookies) clear(header http.Header) {
	for _, name := range []string{identity.SessionCookie, sessionData, dontRemember} {
		header.Add("Set-Cookie", c.make(name, "", -1))
	}
}

// token returns the session token of a request, "" without one. A bearer token, plain or signed, takes precedence over
// the cookie. A bearer with an invalid signature is ignored.
func (c cookies) token(r *http.Request) string {
	if bearer := identity.Bearer(r); bearer != "" {
		if token := c.plain(bearer); token != "" {
			return token
		}
	}
	return c.sessionToken(r)
}

// sessionToken returns the token of the session cookie, "" without one or with an invalid signature.
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

// plain returns a bearer token without its signature, or "" if the signature is invalid.
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
