package auth

import (
	"context"
	"strings"

	"baari.dev/services/platform/fault"
)

// No provider is configured: the password is the only way to sign in. These calls say so as better-auth does.

// Accounts lists the caller's ways to sign in.
func (s *Service) Accounts(ctx context.Context) (list []credential, err error) {
	err = s.store.read(ctx, func(q querier) (err error) {
		list, err = s.store.credentialsOf(ctx, q, currentOf(ctx).User.ID)
		return err
	})
	return list, err
}

// AccountInfo refuses what a provider would know of the caller's account.
func (s *Service) AccountInfo(ctx context.Context, req providerAccount) (answer, error) {
	return answer{}, s.refuseAccount(ctx, req, errProviderNotSet)
}

// ProviderToken refuses a provider's access token of the caller's account.
func (s *Service) ProviderToken(ctx context.Context, req providerAccount) (answer, error) {
	if req.ProviderID != "" {
		code := "PROVIDER_" + strings.ToUpper(strings.ReplaceAll(req.ProviderID, "-", "")) + "_IS_NOT_SUPPORTED"
		return answer{}, fault.New(fault.Invalid, code, "Provider "+req.ProviderID+" is not supported.")
	}
	return answer{}, s.refuseAccount(ctx, req, errProviderUnsupported)
}

// refuseAccount answers refusal for the caller's own account and errNoAccount for any other.
func (s *Service) refuseAccount(ctx context.Context, req providerAccount, refusal error) error {
	list, err := s.Accounts(ctx)
	if err != nil {
		return err
	}
	for _, one := range list {
		if req.AccountID == one.ID || req.byProvider && req.AccountID == currentOf(ctx).User.ID {
			return refusal
		}
	}
	return errNoAccount
}

// Unlink refuses to remove the caller's only way to sign in, whatever the account that is named.
func (s *Service) Unlink(ctx context.Context, _ providerAccount) (answer, error) {
	c := currentOf(ctx)
	if !c.Session.Fresh(c.now) {
		return answer{}, errNotFresh
	}
	return answer{}, errLastAccount
}
