package auth

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

// The rates of sign-ins and sign-ups (services/docs/limits.md). A whole office's sign-ins can come from one address.
var (
	signInRate = limit.Rule{Name: "sign-in", By: limit.PerAddress, Count: 60, Period: time.Minute, Burst: 60}
	signUpRate = limit.Rule{Name: "sign-up", By: limit.PerAddress, Count: 3, Period: 10 * time.Second, Burst: 3}
)

func (s *Service) sessionRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: base + "/ok", Access: endpoint.Public(),
			Handler: endpoint.JSON(endpoint.Nothing, func(context.Context, struct{}) (ok, error) { return ok{true}, nil })},
		{Method: http.MethodGet, Pattern: base + "/get-session", Access: endpoint.Public(),
			Handler: endpoint.JSON(s.readGetSession, s.getSession)},
		{Method: http.MethodPost, Pattern: base + "/get-session", Access: endpoint.Public(),
			Handler: endpoint.JSON(s.readNothing, sessionByPost)},
		{Method: http.MethodPost, Pattern: base + "/sign-up/email", Access: endpoint.Public(), Limit: signUpRate,
			Handler: endpoint.JSON(s.readSignUp, s.signUp)},
		{Method: http.MethodPost, Pattern: base + "/sign-in/email", Access: endpoint.Public(), Limit: signInRate,
			Handler: endpoint.JSON(s.readSignIn, s.signIn)},
		{Method: http.MethodPost, Pattern: base + "/sign-out", Access: endpoint.Public(),
			Handler: endpoint.JSON(s.readSignOut, s.signOut)},
		{Method: http.MethodGet, Pattern: base + "/list-sessions", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(endpoint.Nothing, withRenewal(s, s.listSessions))},
		{Method: http.MethodPost, Pattern: base + "/revoke-session", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readRevoke, withRenewal(s, s.revokeSession))},
		{Method: http.MethodPost, Pattern: base + "/revoke-sessions", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readNothing, s.revokeSessions)},
		{Method: http.MethodPost, Pattern: base + "/revoke-other-sessions", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readNothing, withRenewal(s, s.revokeOtherSessions))},
	}
}

// signUp is the request of a sign-up. role and isActive of the body are ignored.
type signUp struct {
	Name     string
	Email    string
	Password string
	Image    *string
	Remember bool
	Browser  browser
}

func (s *Service) readSignUp(r *http.Request) (signUp, error) {
	o, err := s.read(r, true, "name", "email", "password", "image", "rememberMe")
	if err != nil {
		return signUp{}, err
	}
	req := signUp{
		Name:     o.name("name"),
		Email:    o.email("email"),
		Password: o.text("password"),
		Browser:  s.cookies.browser(r),
	}
	if o.has("password") && req.Password == "" {
		o.reject("password", "Too small: expected string to have >=1 characters")
		o.fields.Reject("password", passwordMissing)
	}
	req.Image = o.image("image")
	o.optionalText("callbackURL")
	req.Remember = o.flag("rememberMe", true)
	if err := o.err(); err != nil {
		return req, err
	}
	return req, s.origins.checkLogin(r)
}

func (s *Service) signUp(ctx context.Context, req signUp) (answer, error) {
	made, err := s.SignUp(ctx, req)
	if err != nil {
		return answer{}, err
	}
	out := s.withSession(made, signedUp{Token: made.token, User: answerAuthUser(made.User)})
	s.cookies.setMark(out.header, req.Browser.marks, made.User.Email, made.now)
	return out, nil
}

type signIn struct {
	Email    string
	Password string
	Callback string
	Remember bool
	Browser  browser
}

func (s *Service) readSignIn(r *http.Request) (signIn, error) {
	o, err := s.read(r, true, "email", "password", "rememberMe")
	if err != nil {
		return signIn{}, err
	}
	req := signIn{
		Email:    wire.Trim(o.text("email")),
		Password: o.text("password"),
		Callback: o.optionalText("callbackURL"),
		Remember: o.flag("rememberMe", true),
		Browser:  s.cookies.browser(r),
	}
	if err := o.err(); err != nil {
		return req, err
	}
	return req, s.origins.checkLogin(r)
}

func (s *Service) signIn(ctx context.Context, req signIn) (answer, error) {
	made, err := s.SignIn(ctx, req)
	if err != nil {
		return answer{}, err
	}
	out := s.withSession(made, signedIn{
		Redirect: req.Callback != "",
		Token:    made.token,
		URL:      req.Callback,
		User:     answerAuthUser(made.User),
	})
	s.cookies.setMark(out.header, req.Browser.marks, made.User.Email, made.now)
	if req.Callback != "" {
		out.header.Set("Location", req.Callback)
	}
	return out, nil
}

type getSession struct {
	token string
	renew bool
}

func (s *Service) readGetSession(r *http.Request) (getSession, error) {
	readOnly, _ := strconv.ParseBool(r.URL.Query().Get("disableRefresh"))
	return getSession{token: s.cookies.token(r), renew: !readOnly}, nil
}

// sessionByPost returns better-auth's error for get-session by POST.
func sessionByPost(context.Context, *object) (ok, error) { return ok{}, errSessionByPost }

// getSession returns the session and its user, null without a live session. It clears the cookies of an ended session.
func (s *Service) getSession(ctx context.Context, req getSession) (answer, error) {
	found, live, err := s.liveSession(ctx, req.token, req.renew)
	if err != nil {
		return answer{}, err
	}
	out := answer{header: http.Header{}}
	switch {
	case live:
		out.body = sessionAndUser{answerSession(found.Session, found.token), answerAuthUser(found.User)}
		if found.renewed {
			s.cookies.set(out.header, found.token, found.Session.Remember)
		}
	case req.token != "":
		s.cookies.clear(out.header)
	}
	out.header.Set("Pragma", "no-cache")
	return out, nil
}

func (s *Service) readSignOut(r *http.Request) (string, error) {
	if _, err := s.readNothing(r); err != nil {
		return "", err
	}
	return s.cookies.token(r), nil
}

func (s *Service) signOut(ctx context.Context, token string) (answer, error) {
	if err := s.SignOut(ctx, token); err != nil {
		return answer{}, err
	}
	out := answer{body: success{true}, header: http.Header{}}
	s.cookies.clear(out.header)
	return out, nil
}

// listSessions returns the caller's sessions. In place of the session token, sessions other than the current one have
// their id, which revoke-session also accepts.
func (s *Service) listSessions(ctx context.Context, _ struct{}) (answer, error) {
	list, err := s.Sessions(ctx)
	if err != nil {
		return answer{}, err
	}
	c := currentOf(ctx)
	out := []authSession{}
	for _, one := range list {
		name := one.ID
		if one.ID == c.Session.ID {
			name = c.token
		}
		out = append(out, answerSession(one, name))
	}
	return answer{body: out}, nil
}

func (s *Service) readRevoke(r *http.Request) (string, error) {
	o, err := s.read(r, false, "token")
	if err != nil {
		return "", err
	}
	name := o.text("token")
	return name, o.err()
}

func (s *Service) revokeSession(ctx context.Context, name string) (answer, error) {
	return answer{body: status{true}}, s.Revoke(ctx, name)
}

func (s *Service) revokeSessions(ctx context.Context, _ *object) (answer, error) {
	return answer{body: status{true}}, s.RevokeAll(ctx, false)
}

func (s *Service) revokeOtherSessions(ctx context.Context, _ *object) (answer, error) {
	return answer{body: status{true}}, s.RevokeAll(ctx, true)
}
