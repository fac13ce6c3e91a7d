package auth

import (
	"context"
	"net/http"
	"regexp"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/wire"
)

func (s *Service) providerRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: base + "/list-accounts", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(endpoint.Nothing, withRenewal(s, s.listAccounts))},
		{Method: http.MethodGet, Pattern: base + "/account-info", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readAccountInfo, s.AccountInfo)},
		{Method: http.MethodPost, Pattern: base + "/account-info", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readAccountInfoByPost, s.AccountInfo)},
		{Method: http.MethodPost, Pattern: base + "/get-access-token", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readProviderAccount, s.ProviderToken)},
		{Method: http.MethodPost, Pattern: base + "/refresh-token", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readProviderAccount, s.ProviderToken)},
		{Method: http.MethodPost, Pattern: base + "/link-social", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readProvider, s.noProvider)},
		{Method: http.MethodPost, Pattern: base + "/sign-in/social", Access: endpoint.Public(), Limit: signInRate,
			Handler: endpoint.JSON(s.readSocialSignIn, s.noProvider)},
		{Method: http.MethodPost, Pattern: base + "/unlink-account", Access: ownAccount(), Limit: perUser,
			Handler: endpoint.JSON(s.readUnlink, s.Unlink)},
	}
}

// listedAccount is a credential in the form of better-auth.
type listedAccount struct {
	ID         string    `json:"id"`
	AccountID  string    `json:"accountId"`
	ProviderID string    `json:"providerId"`
	UserID     string    `json:"userId"`
	CreatedAt  wire.Time `json:"createdAt"`
	UpdatedAt  wire.Time `json:"updatedAt"`
	Scopes     []string  `json:"scopes"`
}

func (s *Service) listAccounts(ctx context.Context, _ struct{}) (answer, error) {
	list, err := s.Accounts(ctx)
	if err != nil {
		return answer{}, err
	}
	user := currentOf(ctx).User.ID
	out := []listedAccount{}
	for _, one := range list {
		out = append(out, listedAccount{
			ID:         one.ID,
			AccountID:  user,
			ProviderID: "credential",
			UserID:     user,
			CreatedAt:  wire.Time(one.CreatedAt),
			UpdatedAt:  wire.Time(one.UpdatedAt),
			Scopes:     []string{},
		})
	}
	return answer{body: out}, nil
}

// providerAccount names an account by its id (better-auth 1.7), its provider, or its id at the provider (byProvider).
type providerAccount struct {
	AccountID  string
	ProviderID string
	byProvider bool
}

func (s *Service) readAccountInfo(r *http.Request) (providerAccount, error) {
	o, err := queryObject(r)
	if err != nil {
		return providerAccount{}, err
	}
	if !o.has("accountId") {
		return providerAccount{}, invalid("[query] Invalid input")
	}
	return providerAccount{AccountID: o.text("accountId")}, o.err()
}

func (s *Service) readAccountInfoByPost(r *http.Request) (providerAccount, error) {
	o, err := s.read(r, false, "accountId")
	if err != nil {
		return providerAccount{}, err
	}
	req := providerAccount{AccountID: o.text("accountId"), byProvider: true}
	return req, o.err()
}

var providerName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

func (s *Service) readProviderAccount(r *http.Request) (providerAccount, error) {
	o, err := s.read(r, false, "accountId", "providerId")
	if err != nil {
		return providerAccount{}, err
	}
	req := providerAccount{ProviderID: o.optionalText("providerId")}
	if req.ProviderID == "" {
		req.AccountID = o.text("accountId")
	}
	if o.err() != nil || req.ProviderID != "" && !providerName.MatchString(req.ProviderID) {
		return req, invalid("[body] Invalid input")
	}
	return req, nil
}

func (s *Service) readUnlink(r *http.Request) (providerAccount, error) {
	o, err := s.read(r, false, "accountId", "providerId")
	if err != nil {
		return providerAccount{}, err
	}
	req := providerAccount{ProviderID: o.optionalText("providerId")}
	if req.ProviderID == "" {
		req.AccountID = o.text("accountId")
	}
	return req, o.err()
}

func (s *Service) readProvider(r *http.Request) (string, error) {
	o, err := s.read(r, false, "provider")
	if err != nil {
		return "", err
	}
	provider := o.text("provider")
	for _, name := range []string{"callbackURL", "errorCallbackURL", "newUserCallbackURL"} {
		o.optionalText(name)
	}
	return provider, o.err()
}

func (s *Service) readSocialSignIn(r *http.Request) (string, error) {
	provider, err := s.readProvider(r)
	if err != nil {
		return "", err
	}
	return provider, s.origins.checkLogin(r)
}

func (s *Service) noProvider(context.Context, string) (answer, error) {
	return answer{}, errProviderUnknown
}
