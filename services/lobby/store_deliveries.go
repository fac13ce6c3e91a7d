package lobby

import (
	"context"
	"encoding/hex"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/lobby/message"
	"baari.dev/services/lobby/push"
	"baari.dev/services/platform/wire"
)

// queued is a delivery to be queued.
type queued struct {
	visitID, channel string
	kind             message.Kind
	callNo           int64
	at               time.Time
	counter          *string // nil: near
	recalled         bool    // a person has repeated the call
}

// Push is sent to visits with a subscription; messages are sent to visitors who agree, up to three per visit and
// channel. A call that was taken back and is made again to the same counter within a minute is not sent again. If the
// first delivery is still queued, it is dropped when it is due, and the second is sent.
const insertDelivery = `
INSERT INTO deliveries (id, visit_id, channel, kind, call_no, state, next_at, created_at, counter)
SELECT $1, $2, $3, $4, $5, 'queued', now(), $6::timestamptz, $8::text
WHERE ($9 OR NOT EXISTS (
  SELECT FROM deliveries
  WHERE visit_id = $2 AND channel = $3 AND kind = 'called' AND counter = $8::text
    AND state IN ('sending', 'sent', 'unknown') AND created_at > $6::timestamptz - interval '1 minute'
)) AND CASE WHEN $3 = 'push' THEN EXISTS (SELECT FROM subscriptions WHERE visit_id = $2)
  ELSE EXISTS (SELECT FROM consents WHERE visit_id = $2 AND given)
    AND (SELECT count(*) FROM deliveries WHERE visit_id = $2 AND channel = $3 AND state <> 'dropped') < $7 END
ON CONFLICT (visit_id, channel, kind, call_no) DO NOTHING`

// queue queues a delivery if its visitor can be notified over that channel. The same call is queued once.
func (*store) queue(ctx context.Context, tx pgx.Tx, q queued) error {
	_, err := tx.Exec(ctx, insertDelivery, uuid.Must(uuid.NewV7()), q.visitID, q.channel, string(q.kind), q.callNo, q.at,
		mostOfVisit, q.counter, q.recalled)
	return err
}

const selectTellable = `
SELECT v.id::text FROM visits v
WHERE v.stage = 'waiting' AND NOT v.erased
  AND (EXISTS (SELECT FROM subscriptions s WHERE s.visit_id = v.id)
    OR EXISTS (SELECT FROM consents c WHERE c.visit_id = v.id AND c.given))
  AND NOT EXISTS (SELECT FROM deliveries d WHERE d.visit_id = v.id AND d.kind = 'near')`

// tellable returns the waiting visits whose visitors can be notified and that have no delivery of the kind near yet.
func (s *store) tellable(ctx context.Context) ([]string, error) {
	rows, err := s.pool.Query(ctx, selectTellable)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// mostAtOnce is the largest number of deliveries that are sent at the same time.
const mostAtOnce = 8

// A row is marked before it is sent, so it is sent at most once, even if its sender ends before the result is stored.
const claimDue = `
WITH taken AS (
  UPDATE deliveries SET state = 'sending', tries = tries + 1, changed_at = now()
  WHERE id IN (
    SELECT id FROM deliveries WHERE state = 'queued' AND next_at <= $1 AND channel <> ALL ($2)
    ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING id, visit_id, channel, kind, tries, created_at, call_no
)
SELECT t.id::text, t.visit_id::text, t.channel, t.kind, t.tries, t.created_at,
  coalesce(v.token, ''), coalesce(v.stage, ''), coalesce(v.counter, ''), coalesce(v.language, ''),
  coalesce(l.generation, 1), v.phone, coalesce(c.given, false), EXISTS (
    SELECT FROM deliveries d
    WHERE d.visit_id = t.visit_id AND d.channel = t.channel AND d.kind = t.kind AND d.call_no > t.call_no)
FROM taken t LEFT JOIN visits v ON v.id = t.visit_id AND NOT v.erased
LEFT JOIN links l ON l.visit_id = t.visit_id AND l.replaced_at IS NULL
LEFT JOIN consents c ON c.visit_id = t.visit_id`

// takeDue marks at most mostAtOnce due deliveries as being sent, and returns them.
func (s *store) takeDue(ctx context.Context, now time.Time, paused []string) ([]due, error) {
	rows, err := s.pool.Query(ctx, claimDue, now, paused, mostAtOnce)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[due])
}

const closeSending = `
UPDATE deliveries SET state = 'unknown', changed_at = now()
WHERE state = 'sending' AND changed_at < $1 RETURNING channel`

// closeLost closes deliveries whose sender has ended, and returns the channel of each.
func (s *store) closeLost(ctx context.Context, before time.Time) (channels []string, err error) {
	rows, err := s.pool.Query(ctx, closeSending, before)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

const setDelivery = `
UPDATE deliveries SET state = $2, error_code = $3, provider_id = $4, changed_at = now() WHERE id = $1`

func (*store) finish(ctx context.Context, tx pgx.Tx, id, state, code, providerID string) error {
	_, err := tx.Exec(ctx, setDelivery, id, state, code, providerID)
	return err
}

const requeue = `
UPDATE deliveries SET state = 'queued', tries = $2, next_at = now() + $3::interval, changed_at = now() WHERE id = $1`

// again queues a delivery that was certainly not sent, for a try after delay; tries is the number of tries so far.
func (s *store) again(ctx context.Context, id string, tries int, delay time.Duration) error {
	_, err := s.pool.Exec(ctx, requeue, id, tries, delay)
	return err
}

const keepConsentOf = `
INSERT INTO consents (visit_id, given) VALUES ($1, $2) ON CONFLICT (visit_id) DO UPDATE SET given = EXCLUDED.given`

func (*store) keepConsent(ctx context.Context, tx pgx.Tx, visitID string, given bool) error {
	_, err := tx.Exec(ctx, keepConsentOf, visitID, given)
	return err
}

// mostSubscriptions is the largest number of push subscriptions of a visit.
const mostSubscriptions = 3

const insertSubscription = `
INSERT INTO subscriptions (id, visit_id, sealed, mark)
SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM subscriptions WHERE visit_id = $2) < $5
ON CONFLICT (visit_id, mark) DO NOTHING`

// subscribe stores a subscription of a visit, unless the visit already has mostSubscriptions.
func (s *store) subscribe(ctx context.Context, visitID string, sub push.Subscription) error {
	text, err := json.Marshal(sub)
	if err != nil {
		return err
	}
	id := uuid.Must(uuid.NewV7()).String()
	_, err = s.pool.Exec(ctx, insertSubscription, id, visitID, s.box.Seal(id, text), s.box.Mark(sub.Endpoint),
		mostSubscriptions)
	return err
}

type subscription struct {
	ID string
	push.Subscription
}

const selectSubscriptions = `SELECT id::text, sealed FROM subscriptions WHERE visit_id = $1 ORDER BY created_at`

func (s *store) subscriptionsOf(ctx context.Context, visitID string) ([]subscription, error) {
	rows, err := s.pool.Query(ctx, selectSubscriptions, visitID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (sub subscription, err error) {
		var sealed []byte
		if err := row.Scan(&sub.ID, &sealed); err != nil {
			return sub, err
		}
		text, err := s.box.Open(sub.ID, sealed)
		if err == nil {
			err = json.Unmarshal(text, &sub.Subscription)
		}
		return sub, err
	})
}

func (s *store) unsubscribe(ctx context.Context, id string) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM subscriptions WHERE id = $1`, id)
	return err
}

func (s *store) unsubscribeAll(ctx context.Context, visitID string) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM subscriptions WHERE visit_id = $1`, visitID)
	return err
}

const selectTold = `
SELECT channel, kind, CASE state WHEN 'sending' THEN 'queued' ELSE state END, error_code, changed_at
FROM deliveries WHERE visit_id = $1 ORDER BY created_at, channel`

func (s *store) told(ctx context.Context, visitID string) ([]toldBody, error) {
	rows, err := s.pool.Query(ctx, selectTold, visitID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t toldBody, err error) {
		err = row.Scan(&t.Channel, &t.Kind, &t.State, &t.Why, (*time.Time)(&t.At))
		return t, err
	})
}

type toldBody struct {
	Channel string    `json:"channel"`
	Kind    string    `json:"kind"`
	State   string    `json:"state"`
	Why     string    `json:"why"` // the reason, if the delivery was dropped or failed
	At      wire.Time `json:"at"`
}

const countTold = `
SELECT channel, count(*) FILTER (WHERE state = 'sent'), count(*) FILTER (WHERE state = 'failed'),
  count(*) FILTER (WHERE state = 'unknown'),
  count(*) FILTER (WHERE state = 'dropped'), count(*) FILTER (WHERE state IN ('queued', 'sending')),
  count(DISTINCT visit_id)
FROM deliveries WHERE created_at > now() - interval '24 hours' GROUP BY channel`

// counts returns the deliveries of the last day by channel.
func (s *store) counts(ctx context.Context) (map[string]channelBody, error) {
	rows, err := s.pool.Query(ctx, countTold)
	if err != nil {
		return nil, err
	}
	counts := map[string]channelBody{}
	var c channelBody
	into := []any{&c.Channel, &c.Sent, &c.Failed, &c.Unknown, &c.Dropped, &c.Waiting, &c.Visits}
	_, err = pgx.ForEachRow(rows, into, func() error {
		counts[c.Channel] = c
		return nil
	})
	return counts, err
}

// topicOf returns the topic of a visit's push messages. If the phone is off, the push service keeps only the newest
// message of a topic.
func topicOf(mark []byte) string { return hex.EncodeToString(mark[:16]) }
