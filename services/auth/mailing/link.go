package mailing

import (
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/fault"
)

// LinkLife is how long reset, verification and confirmation links are valid. Invitations and stop links last longer.
const LinkLife = account.ConfirmWithin

// changeOfEmail is the request type of links that confirm a change of address.
const changeOfEmail = "change-email-verification"

// Link holds the claims of a verification link or of a link that confirms a change of address. The subject is the
// account's id, so that the link cannot act on another account that takes the address later. For a confirmation link,
// the claim ID is the id of the email change.
type Link struct {
	jwt.RegisteredClaims
	Email       string `json:"email"`
	UpdateTo    string `json:"updateTo,omitempty"`
	RequestType string `json:"requestType,omitempty"`
}

// ChangesEmail reports whether the link confirms a change of address.
func (l Link) ChangesEmail() bool { return l.RequestType == changeOfEmail }

// The faults of links, with better-auth's codes and texts.
var (
	ErrInvalidLink = fault.New(fault.Unauthenticated, "INVALID_TOKEN", "Invalid token")
	ErrExpiredLink = fault.New(fault.Unauthenticated, "TOKEN_EXPIRED", "Token expired")
)

// URL returns the URL of a page or of a call of this installation, for links in mails.
func (m *Mailing) URL(path string, query url.Values) string {
	address := strings.TrimSuffix(m.settings.BaseURL, "/") + path
	if len(query) == 0 {
		return address
	}
	return address + "?" + query.Encode()
}

// SignVerification returns the token of a link that verifies u's address.
func (m *Mailing) SignVerification(u account.User, now time.Time) (string, error) {
	return m.sign(Link{
		RegisteredClaims: jwt.RegisteredClaims{Subject: u.ID, IssuedAt: jwt.NewNumericDate(now)},
		Email:            u.Email,
	})
}

// SignChange returns the token of the link that confirms a change of address.
func (m *Mailing) SignChange(c account.EmailChange) (string, error) {
	return m.sign(Link{
		RegisteredClaims: jwt.RegisteredClaims{Subject: c.UserID, ID: c.ID, IssuedAt: jwt.NewNumericDate(c.RequestedAt)},
		Email:            c.OldEmail,
		UpdateTo:         c.NewEmail,
		RequestType:      changeOfEmail,
	})
}

func (m *Mailing) sign(claims Link) (string, error) {
	claims.ExpiresAt = jwt.NewNumericDate(claims.IssuedAt.Add(LinkLife))
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(m.settings.Secret))
}

// OpenLink verifies a token and returns its claims. Errors: ErrExpiredLink, ErrInvalidLink.
func (m *Mailing) OpenLink(token string, now time.Time) (claims Link, err error) {
	key := func(*jwt.Token) (any, error) { return []byte(m.settings.Secret), nil }
	_, err = jwt.ParseWithClaims(token, &claims, key,
		jwt.WithValidMethods([]string{"HS256"}),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(func() time.Time { return now }))
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return claims, ErrExpiredLink
	case err != nil || claims.Subject == "":
		return claims, ErrInvalidLink.Because(err)
	}
	return claims, nil
}
