// Package staff signs in a user of each role of a running system, and has calls with which they register visitors and
// change visits. Start reading at SignIn.
package staff

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"baari.dev/tools/sample/client"
)

// Staff is one user of each role, and all consultants.
type Staff struct {
	Users       map[string]*client.Client // keyed by role
	Consultants []*client.Client
	Consultant  string // id of the first consultant
	Service     string // id of an offered service
}

// SignIn signs accounts in through the site at base. For a role other than consultant, it uses only the first account.
func SignIn(ctx context.Context, base string, accounts []client.Account, through *http.Client) (*Staff, error) {
	users, consultants := map[string]*client.Client{}, []*client.Client(nil)
	for _, account := range accounts {
		if users[account.Role] != nil && account.Role != "consultant" {
			continue
		}
		user := &client.Client{Base: base, HTTP: through}
		if err := user.SignIn(ctx, account.Email, account.Password); err != nil {
			return nil, fmt.Errorf("sign in as %s: %w", account.Role, err)
		}
		if users[account.Role] == nil {
			users[account.Role] = user
		}
		if account.Role == "consultant" {
			consultants = append(consultants, user)
		}
	}
	s, err := Of(ctx, users)
	if err == nil {
		s.Consultants = consultants
	}
	return s, err
}

// SignOut ends the sessions. It ignores errors, because a session that is not signed out expires.
func (s *Staff) SignOut(ctx context.Context) {
	for _, user := range s.Users {
		_ = user.SignOut(ctx)
	}
	for _, user := range s.Consultants {
		if user != s.Users["consultant"] {
			_ = user.SignOut(ctx)
		}
	}
}

// Of returns the staff for users who are signed in already, keyed by role. Consultants stays empty.
func Of(ctx context.Context, users map[string]*client.Client) (*Staff, error) {
	s := &Staff{Users: users}
	var err error
	if s.Consultant, err = users["consultant"].ID(ctx); err != nil {
		return nil, err
	}
	var offered struct{ Services []struct{ ID string } }
	if err := users["reception"].Call(ctx, http.MethodGet, "/api/services", nil, &offered); err != nil {
		return nil, err
	}
	if len(offered.Services) == 0 {
		return nil, errors.New("no services are offered")
	}
	s.Service = offered.Services[0].ID
	return s, nil
}

// Visitor is the body of a registration.
func (s *Staff) Visitor() map[string]string {
	return map[string]string{"name": "Asha Patil", "phone": "9876543210", "service_id": s.Service}
}

// Visit is a registered visit, with its id and the office's date on which it was registered.
type Visit struct{ ID, Day string }

// Register registers a visitor.
func (s *Staff) Register(ctx context.Context, visitor map[string]string) (Visit, error) {
	var answer struct{ Visit Visit }
	err := s.Users["reception"].Call(ctx, http.MethodPost, "/api/visits", visitor, &answer)
	return answer.Visit, err
}

// Change sets the status of a visit as the user of a role. An approval assigns the first consultant.
func (s *Staff) Change(ctx context.Context, role, visit, status string) error {
	body := map[string]string{"status": status}
	if status == "approved" {
		body["assigned_consultant_id"] = s.Consultant
	}
	err := s.Users[role].Call(ctx, http.MethodPut, "/api/visits/"+visit+"/status", body, nil)
	if err != nil {
		return fmt.Errorf("to %s: %w", status, err)
	}
	return nil
}

// Complete takes a registered visit from the decision to the end of its session.
func (s *Staff) Complete(ctx context.Context, visit string) error {
	for _, step := range [][2]string{{"pa", "approved"}, {"consultant", "in-session"}, {"consultant", "completed"}} {
		if err := s.Change(ctx, step[0], visit, step[1]); err != nil {
			return err
		}
	}
	return nil
}
