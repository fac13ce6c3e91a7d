package auth

import (
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"baari.dev/services/auth/account"
)

// linkLife is how long reset and verification links are valid. Invitations and stop links are valid for longer.
const linkLife = account.ConfirmWithin

// changeOfEmail is the request type of links that confirm a change of address.
const changeOfEmail = "change-email-verification"

// link holds the claims of a verification link or of a link that confirms a change of address. The subject is the
// account's id, so that the link cannot act on another account that took the address later. The id of a confirmation
// link is that of the email change.
type link struct {
	jwt.RegisteredClaims
	Email       string `json:"email"`
	UpdateTo    string `json:"updateTo,omitempty"`
	RequestType string `json:"requestType,omitempty"`
}

// signVerifyLink returns the token of a link that verifies u's address.
func (s *Service) signVerifyLink(u account.User, now time.Time) (string, error) {
	return s.signLink(link{
		RegisteredClaims: jwt.RegisteredClaims{Subject: u.ID, IssuedAt: jwt.NewNumericDate(now)},
		Email:            u.Email,
	})
}

// signChangeLink returns the token of the link that confirms a change of address.
func (s *Service) signChangeLink(c account.EmailChange) (string, error) {
	return s.signLink(link{
		RegisteredClaims: jwt.RegisteredClaims{Subject: c.UserID, ID: c.ID, IssuedAt: jwt.NewNumericDate(c.RequestedAt)},
		Email:            c.OldEmail,
		UpdateTo:         c.NewEmail,
		RequestType:      changeOfEmail,
	})
}

func (s *Service) signLink(claims link) (string, error) {
	claims.ExpiresAt = jwt.NewNumericDate(claims.IssuedAt.Add(linkLife))
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(s.options.Secret))
}

// openLink verifies a token and returns its claims. Errors: errExpiredLink, errInvalidLink.
func (s *Service) openLink(token string, now time.Time) (claims link, err error) {
	key := func(*jwt.Token) (any, error) { return []byte(s.options.Secret), nil }
	_, err = jwt.ParseWithClaims(token, &claims, key,
		jwt.WithValidMethods([]string{"HS256"}),
		jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(func() time.Time { return now }))
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return claims, errExpiredLink
	case err != nil || claims.Subject == "":
		return claims, errInvalidLink.Because(err)
	}
	return claims, nil
}
