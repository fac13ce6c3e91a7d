package auth

import (
	"context"
	"net/http"

	"baari.dev/services/platform/endpoint"
)

func (s *Service) emailChangeRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: base + "/change-email", Access: ownAccount(), Limit: secretRate,
			Handler: endpoint.JSON(s.readChangeEmail, withRenewal(s, s.changeEmail))},
		{Method: http.MethodPost, Pattern: base + "/stop-email-change", Access: endpoint.Public(), Limit: tokenRate,
			Handler: endpoint.JSON(s.readStopEmailChange, s.stopEmailChange)},
	}
}

// changeEmail is the request of a change of address. Password is "" if none was sent.
type changeEmail struct {
	Email    string
	Password string
	Callback string
	marks    []string
}

func (s *Service) readChangeEmail(r *http.Request) (changeEmail, error) {
	o, err := s.read(r, false, "newEmail", "password")
	if err != nil {
		return changeEmail{}, err
	}
	req := changeEmail{
		Email:    o.email("newEmail"),
		Password: o.optionalText("password"),
		Callback: o.optionalText("callbackURL"),
		marks:    s.cookies.browser(r).marks,
	}
	return req, o.err()
}

func (s *Service) changeEmail(ctx context.Context, req changeEmail) (answer, error) {
	return answer{body: status{true}}, s.ChangeEmail(ctx, req)
}

func (s *Service) readStopEmailChange(r *http.Request) (token string, err error) {
	o, err := s.read(r, false, "token")
	if err != nil {
		return "", err
	}
	token = o.text("token")
	return token, o.err()
}

// emailChangeStopped is the answer of stop-email-change. Reverted reports whether the address had changed already.
type emailChangeStopped struct {
	Status   bool `json:"status"`
	Reverted bool `json:"reverted"`
}

func (s *Service) stopEmailChange(ctx context.Context, token string) (emailChangeStopped, error) {
	reverted, err := s.StopEmailChange(ctx, token)
	return emailChangeStopped{Status: true, Reverted: reverted}, err
}
