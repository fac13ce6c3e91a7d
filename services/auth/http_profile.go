package auth

import (
	"context"
	"net/http"
	"net/url"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

func (s *Service) profileRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: base + "/update-user", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readUpdateUser, s.updateUser)},
		{Method: http.MethodPost, Pattern: base + "/send-verification-email", Access: endpoint.Public(), Limit: mailRate,
			Handler: endpoint.JSON(s.readSendVerification, s.sendVerification)},
		{Method: http.MethodGet, Pattern: base + "/verify-email", Access: endpoint.Public(), Limit: tokenRate,
			Handler: endpoint.Stream(s.serveVerifyEmail)},
		{Method: http.MethodPost, Pattern: base + "/delete-user", Access: ownAccount(), Limit: secretRate,
			Handler: endpoint.JSON(s.readDeleteUser, s.deleteUser)},
	}
}

// status is the response of calls that return no other data.
type status struct {
	Status bool `json:"status"`
}

type updateUser struct {
	Name      *string
	Image     *string // nil clears it
	HasImage  bool
	Language  *string
	HasEmail  bool   // rejected: use change-email instead
	Forbidden string // the name of a member that is not allowed, "" for none
}

func (s *Service) readUpdateUser(r *http.Request) (updateUser, error) {
	o, err := s.read(r, false, "name", "image", "language", "email", "role", "isActive")
	if err != nil {
		return updateUser{}, err
	}
	var req updateUser
	if o.missing {
		o.reject("", expected("object", nil))
	}
	if _, given := o.members["name"]; given {
		name := o.name("name")
		req.Name = &name
	}
	_, req.HasImage = o.members["image"]
	req.Image = o.image("image")
	if _, given := o.members["language"]; given {
		language := o.language("language")
		req.Language = &language
	}
	_, req.HasEmail = o.members["email"]
	for _, name := range []string{"role", "isActive"} {
		if _, given := o.members[name]; given {
			req.Forbidden = name
			break
		}
	}
	return req, o.err()
}

func (s *Service) updateUser(ctx context.Context, req updateUser) (answer, error) {
	if err := s.UpdateUser(ctx, req); err != nil {
		return answer{}, err
	}
	return s.withSession(currentOf(ctx), status{true}), nil
}

type sendVerification struct {
	Email    string
	Callback string
	token    string
}

func (s *Service) readSendVerification(r *http.Request) (sendVerification, error) {
	o, err := s.read(r, false, "email")
	if err != nil {
		return sendVerification{}, err
	}
	req := sendVerification{
		Email:    o.email("email"),
		Callback: o.optionalText("callbackURL"),
		token:    s.cookies.token(r),
	}
	return req, o.err()
}

func (s *Service) sendVerification(ctx context.Context, req sendVerification) (status, error) {
	return status{true}, s.SendVerification(ctx, req)
}

// verifyEmail has the token of a link in a mail, and the session token of the browser that opened the link.
type verifyEmail struct {
	Token   string
	session string
}

type verifiedAnswer struct {
	Status bool      `json:"status"`
	User   *authUser `json:"user"`
}

// serveVerifyEmail verifies or changes an address by the link of a mail. A link with a callbackURL redirects there,
// with an error code if the link is not valid. The response sets no cookie.
func (s *Service) serveVerifyEmail(w http.ResponseWriter, r *http.Request) error {
	o, err := s.readQuery(r)
	if err != nil {
		return err
	}
	req := verifyEmail{Token: o.text("token"), session: s.cookies.token(r)}
	callback := o.optionalText("callbackURL")
	if err := o.err(); err != nil {
		return err
	}
	u, changed, err := s.VerifyEmail(r.Context(), req)
	if f := fault.Of(err); err != nil && f.Kind == fault.Unauthenticated && callback != "" {
		return redirectBack(w, callback, f.Code)
	}
	if err != nil {
		return err
	}
	if callback != "" {
		return redirectBack(w, callback, "")
	}
	out := verifiedAnswer{Status: true}
	if changed {
		user := answerAuthUser(u)
		out.User = &user
	}
	return wire.Write(w, http.StatusOK, out)
}

// redirectBack responds with 302 to a callback, with an error code unless code is "".
func redirectBack(w http.ResponseWriter, callback, code string) error {
	target, err := url.Parse(callback)
	if err != nil {
		return err
	}
	if code != "" {
		query := target.Query()
		query.Set("error", code)
		target.RawQuery = query.Encode()
	}
	w.Header().Set("Location", target.String())
	w.WriteHeader(http.StatusFound)
	return nil
}

// deleteUserRequest is the request to delete the caller's account. Password and Token are "" if they were not sent.
type deleteUserRequest struct {
	Password string
	Token    string
	marks    []string
}

func (s *Service) readDeleteUser(r *http.Request) (deleteUserRequest, error) {
	o, err := s.read(r, false, "password", "token")
	if err != nil {
		return deleteUserRequest{}, err
	}
	if o.missing {
		o.reject("", expected("object", nil))
	}
	if len(o.members) > 0 && !o.names("password") && !o.names("token") && !o.names("callbackURL") {
		return deleteUserRequest{}, fault.ErrBadBody // otherwise a misspelt "password" would be ignored
	}
	o.optionalText("callbackURL")
	req := deleteUserRequest{
		Password: o.optionalText("password"),
		Token:    o.optionalText("token"),
		marks:    s.cookies.browser(r).marks,
	}
	return req, o.err()
}

type deleted struct {
	Success bool   `json:"success"`
	Message string `json:"message"`
}

func (s *Service) deleteUser(ctx context.Context, req deleteUserRequest) (answer, error) {
	if err := s.DeleteUser(ctx, req); err != nil {
		return answer{}, err
	}
	out := answer{body: deleted{true, "User deleted"}, header: http.Header{}}
	s.cookies.clear(out.header)
	return out, nil
}
