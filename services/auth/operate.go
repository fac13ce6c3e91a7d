package auth

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/auth/account"
	"baari.dev/services/auth/data"
	"baari.dev/services/contract"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
)

// OperatorCreateAdmin creates an active administrator for the operator. If a rule rejects the account, it returns a
// fault of /api/auth.
func (s *Service) OperatorCreateAdmin(ctx context.Context, req createAdmin) (createdAdmin, error) {
	if !account.ValidEmail(req.Email) {
		return createdAdmin{}, errInvalidEmail
	}
	id, err := s.CreateAdmin(ctx, NewAdmin(req))
	if errors.Is(err, errEmailTaken) {
		return createdAdmin{}, errUserExists
	}
	return createdAdmin{ID: id}, apiError(err)
}

// EndSessions ends all sessions of one user, or of all users, for the operator. It returns the number of ended
// sessions, or fault.ErrNotFound if there is no such user.
func (s *Service) EndSessions(ctx context.Context, req endSessions) (revokedAnswer, error) {
	if req.Everyone {
		return s.endEverySession(ctx)
	}
	id := req.UserID
	if req.Email != "" {
		err := s.store.Read(ctx, func(q data.Querier) error {
			u, _, known, err := s.store.credentials(ctx, q, account.FoldEmail(req.Email))
			if err == nil && !known {
				return fault.ErrNotFound
			}
			id = u.ID
			return err
		})
		if err != nil {
			return revokedAnswer{}, err
		}
	}
	return s.RevokeUser(ctx, getUser{ID: id})
}

// endEverySession deletes all sessions and publishes one event per user.
func (s *Service) endEverySession(ctx context.Context) (answer revokedAnswer, err error) {
	err = s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		answer.Ended = 0
		ended, err := s.store.deleteEverySession(ctx, tx)
		if err != nil || len(ended) == 0 {
			return err
		}
		var changes []outbox.Change
		for userID, ids := range ended {
			changes = append(changes, sessionChange(ctx, contract.SessionRevoked, userID, ids))
			answer.Ended += len(ids)
		}
		return outbox.Append(ctx, tx, changes...)
	})
	return answer, err
}
