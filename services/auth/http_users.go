package auth

import (
	"net/http"
	"regexp"
	"strconv"

	"baari.dev/services/auth/account"
	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/wire"
)

func (s *Service) userRoutes() []endpoint.Route {
	staff := endpoint.Roles(account.Roles...)
	self := staff.Owned("self")
	registering := self.Inactive() // requireActive limits this to users who wait for approval
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/users", Access: endpoint.Roles(account.Admin), Limit: perUser,
			Handler: endpoint.JSON(readUserFilter, s.Users)},
		{Method: http.MethodPost, Pattern: "/api/users", Access: registering.Cookie(), Limit: perUser,
			Handler: endpoint.JSON(readSaveUser, s.SaveUser)},
		{Method: http.MethodGet, Pattern: "/api/users/{id}", Access: self.Inactive(), Limit: perUser,
			Handler: endpoint.JSON(readGetUser, s.User)},
		{Method: http.MethodPut, Pattern: "/api/users/{id}", Access: registering, Limit: perUser,
			Handler: endpoint.JSON(readChangeUser, s.ChangeUser)},
		{Method: http.MethodPost, Pattern: "/api/users/{id}/revoke-sessions", Access: endpoint.Roles(account.Admin),
			Limit: perUser, Handler: endpoint.JSON(readGetUser, s.RevokeUser)},
		{Method: http.MethodPost, Pattern: "/api/users/{id}/undo", Limit: perUser,
			Access:  endpoint.Roles(account.Admin).Fresh(contract.FreshSession + undoWithin),
			Handler: endpoint.JSON(readGetUser, s.UndoUser)},
		{Method: http.MethodPost, Pattern: "/api/users/{id}/refuse", Access: endpoint.Roles(account.Admin),
			Limit: perUser, Handler: endpoint.JSON(readGetUser, s.RefuseUser)},
		{Method: http.MethodPost, Pattern: "/api/users/{id}/invite", Limit: perUser,
			Access:  endpoint.Roles(account.Admin).Fresh(contract.FreshSession),
			Handler: endpoint.JSON(readGetUser, s.InviteUser)},
	}
}

// maxName is the length of the longest name, in runes.
const maxName = 100

var userID = regexp.MustCompile(`^[A-Za-z0-9]{32}$`)

func validID(id string) bool { return userID.MatchString(id) }

type getUser struct{ ID string }

func readGetUser(r *http.Request) (getUser, error) { return getUser{r.PathValue("id")}, nil }

// changeUser is the request of a change of an account. nil leaves a field unchanged.
type changeUser struct {
	ID     string
	Role   *string
	Active *bool
	Name   *string
}

// readChangeUser reads a change of an account. It ignores the name unless the caller is an administrator. An inactive
// caller gets 403 for another account before the body is read.
func readChangeUser(r *http.Request) (changeUser, error) {
	req := changeUser{ID: r.PathValue("id")}
	caller, _ := identity.From(r.Context())
	if !caller.Active && req.ID != caller.ID {
		return req, fault.ErrAccountInactive
	}
	var body struct {
		Role     wire.Field[string] `json:"role"`
		IsActive wire.Field[bool]   `json:"isActive"`
		Too      wire.Field[bool]   `json:"is_active"`
		Name     wire.Field[string] `json:"name"`
	}
	if err := wire.Read(r, &body); err != nil {
		return req, err
	}
	var rejected fault.Fields
	if body.Role.Present {
		if body.Role.Wrong || !account.KnownRole(body.Role.Value) {
			rejected.Reject("role", roleWrong)
		}
		req.Role = &body.Role.Value
	}
	req.Active = oneActivity(body.IsActive, body.Too, &rejected)
	if body.Name.Present && caller.Role == account.Admin {
		name := cleanName(body.Name, &rejected)
		req.Name = &name
	}
	if !body.Role.Present && !body.IsActive.Present && !body.Too.Present && !body.Name.Present {
		rejected.Reject("role", fault.NothingGiven)
	}
	return req, rejected.Err()
}

// oneActivity returns the flag isActive or is_active, nil if both are absent. If both are present, they must be equal.
func oneActivity(isActive, too wire.Field[bool], rejected *fault.Fields) *bool {
	if isActive.Wrong {
		rejected.Reject("isActive", activeWrong)
	}
	if too.Wrong {
		rejected.Reject("is_active", activeWrong)
	}
	switch {
	case isActive.Present && too.Present && isActive.Value != too.Value:
		rejected.Reject("isActive", activeDiffer)
		return nil
	case isActive.Present:
		return &isActive.Value
	case too.Present:
		return &too.Value
	}
	return nil
}

func cleanName(field wire.Field[string], rejected *fault.Fields) string {
	name := wire.Clean(field.Value, false)
	switch {
	case field.Wrong || !field.Present || name.Empty:
		rejected.Reject("name", nameMissing)
	case name.Illegal || wire.HasAddress(name.Value):
		rejected.Reject("name", fault.NameIllegal)
	case name.Length > maxName:
		rejected.Reject("name", nameLong)
	}
	return name.Value
}

// saveUser is the request to confirm the caller's profile or to invite a user.
type saveUser struct {
	Name  string
	Email string
	Role  string

	invitation fault.Fields // faults of fields that only an invitation requires
}

func (r saveUser) validateInvitation() error { return r.invitation.Err() }

func readSaveUser(r *http.Request) (saveUser, error) {
	var body struct {
		Name  wire.Field[string] `json:"name"`
		Email wire.Field[string] `json:"email"`
		Role  wire.Field[string] `json:"role"`
	}
	if err := wire.Read(r, &body); err != nil {
		return saveUser{}, err
	}
	req := saveUser{Email: account.FoldEmail(wire.Trim(body.Email.Value)), Role: body.Role.Value}
	var rejected fault.Fields
	if body.Email.Wrong || !account.ValidEmail(req.Email) {
		rejected.Reject("email", emailWrong)
	}
	name := wire.Clean(body.Name.Value, false)
	if body.Name.Present && (body.Name.Wrong || name.Illegal || name.Length > maxName || wire.HasAddress(name.Value)) {
		cleanName(body.Name, &rejected)
	}
	req.Name = cleanName(body.Name, &req.invitation)
	if body.Role.Wrong || !account.KnownRole(body.Role.Value) {
		req.invitation.Reject("role", roleWrong)
	}
	return req, rejected.Err()
}

// Limits of the list of users.
const (
	defaultLimit = 20
	maxLimit     = 100
	maxPage      = 1_000_000
	maxQuery     = 100
)

func readUserFilter(r *http.Request) (userFilter, error) {
	query := r.URL.Query()
	var rejected fault.Fields
	f := userFilter{
		Page:  wire.Number(query, "page", 1, maxPage, pageWrong, &rejected),
		Limit: wire.Number(query, "limit", defaultLimit, maxLimit, limitWrong, &rejected),
		Role:  query.Get("role"),
	}
	text := wire.Clean(query.Get("q"), false)
	if f.Query = text.Value; text.Illegal || text.Length > maxQuery {
		rejected.Reject("q", queryWrong)
	}
	if f.Role != "" && !account.KnownRole(f.Role) {
		rejected.Reject("role", roleWrong)
	}
	f.Active = flag(query.Get("active"), "active", activeWrong, &rejected)
	f.Awaiting = flag(query.Get("awaiting"), "awaiting", awaitingWrong, &rejected)
	return f, rejected.Err()
}

// flag reads true or false. For an empty text it returns nil.
func flag(text, field string, wrong fault.Message, rejected *fault.Fields) *bool {
	if text == "" {
		return nil
	}
	value, err := strconv.ParseBool(text)
	if err != nil {
		rejected.Reject(field, wrong)
	}
	return &value
}
