package auth

import (
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"baari.dev/services/auth/account"
)

// linkLife is how long the links of mails hold, but for invitations.
const linkLife = time.Hour

// changeOfEmail marks the links that change an address.
const changeOfEmail = "change-email-verification"

// link is what the token of a verification or change mail says. It names the account, so that it cannot act on
// another that took the address later.
type link struct {
	jwt.RegisteredClaims
	Email       string `json:"email"`
	UpdateTo    string `json:"updateTo,omitempty"`
	RequestType string `json:"requestType,omitempty"`
	Under       string `json:"under,omitempty"` // of a change: the password it was asked under
}

// under names the password with the hash. Who has to change it, because somebody else was in, ends by that what the
// other one asked for.
func under(hash string) string { return base64.RawURLEncoding.EncodeToString(digest(hash)) }

// signLink makes the token that verifies u's address, or changes it to updateTo while u has the password with the hash.
func (s *Service) signLink(u account.User, updateTo, hash string, now time.Time) (string, error) {
	claims := link{
		RegisteredClaims: jwt.RegisteredClaims{Subject: u.ID, IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(linkLife))},
		Email:            u.Email, UpdateTo: updateTo,
	}
	if updateTo != "" {
		claims.RequestType, claims.Under = changeOfEmail, under(hash)
	}
	return jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString([]byte(s.options.Secret))
}

// openLink reads a token; it refuses one that is not ours or too old.
func (s *Service) openLink(token string, now time.Time) (claims link, err error) {
	_, err = jwt.ParseWithClaims(token, &claims, func(*jwt.Token) (any, error) { return []byte(s.options.Secret), nil },
		jwt.WithValidMethods([]string{"HS256"}), jwt.WithExpirationRequired(), jwt.WithTimeFunc(func() time.Time { return now }))
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return claims, errExpiredLink
	case err != nil || claims.Subject == "":
		return claims, errInvalidLink.Because(err)
	}
	return claims, nil
}

// callOf is the address of a call of auth, for the links of mails.
func (s *Service) callOf(path string, query url.Values) string {
	return strings.TrimSuffix(s.options.BaseURL, "/") + base + path + "?" + query.Encode()
}

// write sends a letter in the office's name.
func (s *Service) write(ctx context.Context, to account.User, l letter) error {
	l.Office, l.Name = s.office(), to.Name
	message, err := l.to(to.Email)
	if err != nil {
		return err
	}
	return s.mailer.Send(ctx, message)
}

// office is the name that mails are signed with.
func (s *Service) office() string {
	if s.options.Office == "" {
		return "Baari"
	}
	return s.options.Office
}

// hasMail reports whether mail can be sent, and says in the log what is missing where a call needs it.
func (s *Service) hasMail(ctx context.Context, call string) bool {
	if s.mailer == nil {
		s.log.WarnContext(ctx, "no mail can be sent: set SMTP_URL and MAIL_FROM", "call", call)
	}
	return s.mailer != nil
}
