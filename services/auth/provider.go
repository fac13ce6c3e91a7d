package auth

import (
	"context"
	"strings"

	"baari.dev/services/auth/data"
	"baari.dev/services/platform/fault"
)

// No provider is configured, so users sign in only by password. The calls respond as better-auth does in that case.

// Accounts returns the caller's credentials.
func (s *Service) Accounts(ctx context.Context) (list []credential, err error) {
	err = s.store.Read(ctx, func(q data.Querier) (err error) {
		list, err = s.store.credentialsOf(ctx, q, currentOf(ctx).User.ID)
		return err
	})
	return list, err
}

// AccountInfo returns errProviderNotSet for the caller's account and errNoAccount for any other.
func (s *Service) AccountInfo(ctx context.Context, req providerAccount) (answer, error) {
	return answer{}, s.accountError(ctx, req, errProviderNotSet)
}

// ProviderToken returns an error, because no account has an access token of a provider.
func (s *Service) ProviderToken(ctx context.Context, req providerAccount) (answer, error) {
	if req.ProviderID != "" {
		code := "PROVIDER_" + strings.ToUpper(strings.ReplaceAll(req.ProviderID, "-", "")) + "_IS_NOT_SUPPORTED"
		return answer{}, fault.New(fault.Invalid, code, "Provider "+req.ProviderID+" is not supported.")
	}
	return answer{}, s.accountError(ctx, req, errProviderUnsupported)
}

// accountError returns the given error for the caller's account and errNoAccount for any other.
func (s *Service) accountError(ctx context.Context, req providerAccount, own error) error {
	list, err := s.Accounts(ctx)
	if err != nil {
		return err
	}
	for _, one := range list {
		if req.AccountID == one.ID || req.byProvider && req.AccountID == currentOf(ctx).User.ID {
			return own
		}
	}
	return errNoAccount
}

// Unlink returns errLastAccount, since the password cannot be removed, or errNotFresh if the session is not fresh.
func (s *Service) Unlink(ctx context.Context, _ providerAccount) (answer, error) {
	c := currentOf(ctx)
	if !c.Session.Fresh(c.now) {
		return answer{}, errNotFresh
	}
	return answer{}, errLastAccount
}
