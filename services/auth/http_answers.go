package auth

import (
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/auth/account"
	"baari.dev/services/platform/wire"
)

// answer is the response of calls of /api/auth: a JSON body with headers.
type answer struct {
	body   any
	header http.Header
}

// MarshalJSONTo writes the body.
func (a answer) MarshalJSONTo(out *jsontext.Encoder) error { return json.MarshalEncode(out, a.body) }

// Headers implements kithttp.Headerer.
func (a answer) Headers() http.Header { return a.header }

// authUser is a user in the form of better-auth.
type authUser struct {
	ID            string    `json:"id"`
	Name          string    `json:"name"`
	Email         string    `json:"email"`
	EmailVerified bool      `json:"emailVerified"`
	Image         *string   `json:"image"`
	CreatedAt     wire.Time `json:"createdAt"`
	UpdatedAt     wire.Time `json:"updatedAt"`
	Role          string    `json:"role"`
	IsActive      bool      `json:"isActive"`
	Language      *string   `json:"language"`
}

func answerAuthUser(u account.User) authUser {
	return authUser{
		ID:            u.ID,
		Name:          u.Name,
		Email:         u.Email,
		EmailVerified: u.EmailVerified,
		Image:         u.Image,
		CreatedAt:     wire.Time(u.CreatedAt),
		UpdatedAt:     wire.Time(u.UpdatedAt),
		Role:          u.Role,
		IsActive:      u.IsActive,
		Language:      u.Language,
	}
}

// authSession is a session in the form of better-auth.
type authSession struct {
	ID        string    `json:"id"`
	Token     string    `json:"token"`
	UserID    string    `json:"userId"`
	ExpiresAt wire.Time `json:"expiresAt"`
	CreatedAt wire.Time `json:"createdAt"`
	UpdatedAt wire.Time `json:"updatedAt"`
	IPAddress string    `json:"ipAddress"`
	UserAgent string    `json:"userAgent"`
}

func answerSession(s account.Session, token string) authSession {
	return authSession{
		ID:        s.ID,
		Token:     token,
		UserID:    s.UserID,
		ExpiresAt: wire.Time(s.ExpiresAt),
		CreatedAt: wire.Time(s.CreatedAt),
		UpdatedAt: wire.Time(s.UpdatedAt),
		IPAddress: s.IPAddress,
		UserAgent: s.UserAgent,
	}
}

type sessionAndUser struct {
	Session authSession `json:"session"`
	User    authUser    `json:"user"`
}

type signedUp struct {
	Token string   `json:"token"`
	User  authUser `json:"user"`
}

type signedIn struct {
	Redirect bool     `json:"redirect"`
	Token    string   `json:"token"`
	URL      string   `json:"url,omitempty"`
	User     authUser `json:"user"`
}

type success struct {
	Success bool `json:"success"`
}

type ok struct {
	OK bool `json:"ok"`
}

// user is an account in the form of /api/users. The API has two names for its activity, isActive and is_active.
type user struct {
	ID          string    `json:"id"`
	Email       string    `json:"email"`
	Name        string    `json:"name"`
	Role        string    `json:"role"`
	IsActive    bool      `json:"isActive"`
	IsActiveToo bool      `json:"is_active"`
	CreatedAt   wire.Time `json:"createdAt"`
	UpdatedAt   wire.Time `json:"updatedAt"`
	// Awaiting accounts wait for approval. InvitedUntil is null for accounts with a password.
	Awaiting     bool       `json:"awaiting"`
	InvitedUntil *wire.Time `json:"invitedUntil"`
}

func answerUser(u account.User) user {
	return user{
		ID:           u.ID,
		Email:        u.Email,
		Name:         u.Name,
		Role:         u.Role,
		IsActive:     u.IsActive,
		IsActiveToo:  u.IsActive,
		CreatedAt:    wire.Time(u.CreatedAt),
		UpdatedAt:    wire.Time(u.UpdatedAt),
		Awaiting:     u.Awaiting,
		InvitedUntil: (*wire.Time)(u.InvitedUntil),
	}
}

type userAnswer struct {
	Data user `json:"data"`
}

// revokedAnswer is the number of sessions that an administrator or the operator has ended.
type revokedAnswer struct {
	Ended int `json:"ended"`
}

// savedUser is the response to saveUser. User is the caller, an invited user, or the owner of an address that is taken.
type savedUser struct {
	User      account.User
	InviteURL string // "" without an invitation
}

// MarshalJSONTo writes the account and the link, if there is one.
func (s savedUser) MarshalJSONTo(out *jsontext.Encoder) error {
	return json.MarshalEncode(out, struct {
		Data      user   `json:"data"`
		InviteURL string `json:"invite_url,omitempty"`
	}{answerUser(s.User), s.InviteURL})
}

// StatusCode implements kithttp.StatusCoder. It returns 201 for an invitation, which creates an account.
func (s savedUser) StatusCode() int {
	if s.InviteURL != "" {
		return http.StatusCreated
	}
	return http.StatusOK
}

// invitedAgain is the response to another link of an invitation. It creates no account.
type invitedAgain struct{ savedUser }

// StatusCode implements kithttp.StatusCoder.
func (invitedAgain) StatusCode() int { return http.StatusOK }

// nothing is a response without a body, with status 204.
type nothing struct{}

// StatusCode implements kithttp.StatusCoder.
func (nothing) StatusCode() int { return http.StatusNoContent }

type pagination struct {
	Page  int `json:"page"`
	Limit int `json:"limit"`
	Total int `json:"total"`
	Pages int `json:"pages"`
}

type usersAnswer struct {
	Users      []user     `json:"users"`
	Pagination pagination `json:"pagination"`
}

func answerUsers(users []account.User, f userFilter, total int) usersAnswer {
	answer := usersAnswer{
		Users:      []user{},
		Pagination: pagination{Page: f.Page, Limit: f.Limit, Total: total, Pages: (total + f.Limit - 1) / f.Limit},
	}
	for _, u := range users {
		answer.Users = append(answer.Users, answerUser(u))
	}
	return answer
}
