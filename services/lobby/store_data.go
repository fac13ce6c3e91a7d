package lobby

import "context"

const selectTellableBy = `
SELECT EXISTS (SELECT FROM consents WHERE visit_id = $1 AND given),
  EXISTS (SELECT FROM subscriptions WHERE visit_id = $1)`

// tellableBy reports whether a visitor agrees to messages, and whether the visit has a push subscription.
func (s *store) tellableBy(ctx context.Context, visitID string) (agreed, pushed bool, err error) {
	err = s.pool.QueryRow(ctx, selectTellableBy, visitID).Scan(&agreed, &pushed)
	return agreed, pushed, err
}

// All links of a visit share the counts asked and wrong_digits.
const (
	useAsk = `
UPDATE links SET asked = asked + 1 WHERE visit_id = $1 AND asked < $2 AND wrong_digits < $3`
	giveAsk = `
UPDATE links SET asked = asked - 1, wrong_digits = wrong_digits + CASE WHEN $2 THEN 1 ELSE 0 END WHERE visit_id = $1`
)

// takeAsk counts a privacy request of a visitor; taken is false when no more requests are accepted.
func (s *store) takeAsk(ctx context.Context, visitID string) (taken bool, err error) {
	done, err := s.pool.Exec(ctx, useAsk, visitID, mostAsked, mostWrong)
	return done.RowsAffected() > 0, err
}

// returnAsk undoes takeAsk for a request that was not added to the register. If wrongDigits is set, it counts the try.
func (s *store) returnAsk(ctx context.Context, visitID string, wrongDigits bool) error {
	_, err := s.pool.Exec(ctx, giveAsk, visitID, wrongDigits)
	return err
}
