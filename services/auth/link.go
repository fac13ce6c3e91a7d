package auth

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"baari.dev/services/auth/account"
)

// linkLife is how long reset and verification links work; invitations and stop links work longer.
const linkLife = account.ConfirmWithin

// changeOfEmail marks the links that change an address.
const changeOfEmail = "change-email-verification"

// link holds the claims of a verification or change link. It names the account, so that it cannot act on another one
// that took the address later. The id of a change link is that of the requested change.
type link struct {
	jwt.RegisteredClaims
	Email       string `json:"email"`
	UpdateTo    string `json:"updateTo,omitempty"`
	RequestType string `json:"requestType,omitempty"`
}

// signVerifyLink makes the token that verifies u's address.
func (s *Service) signVerifyLink(u account.User, now time.Time) (string, error) {
	return s.signLink(link{
		RegisteredClaims: jwt.RegisteredClaims{Subject: u.ID, IssuedAt: jwt.NewNumericDate(now)}, Email: u.Email,
	})
}

// signChangeLink makes the token that confirms a change of address.
func (s *Service) signChangeLink(c account.EmailChange) (string, error) {
	return s.signLink(link{
		RegisteredClaims: jwt.RegisteredClaims{Subject: c.UserID, ID: c.ID, IssuedAt: jwt.NewNumericDate(c.RequestedAt)},
		Email:            c.OldEmail, UpdateTo: c.NewEmail, RequestType: changeOfEmail,
	})
}

func (s *Service) signLink(claims link) (string, error) {
	claims.ExpiresAt = jwt.NewNumericDate(claims.IssuedAt.Add(linkLife))
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
