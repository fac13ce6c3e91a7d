package realtime

import (
	"context"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// InternalRoutes returns the routes for a data subject's requests: export and erasure of the messages that name the
// subject.
func (s *Service) InternalRoutes() []endpoint.Route {
	return []endpoint.Route{
		{Method: http.MethodPost, Pattern: "/internal/subject/export", Access: endpoint.Service(), Handler: endpoint.JSON(readSubject, s.exportSubject)},
		{Method: http.MethodPost, Pattern: "/internal/subject/erase", Access: endpoint.Service(), Handler: endpoint.JSON(readSubject, s.eraseSubject)},
	}
}

// subject is how a person can be named in a message.
type subject struct {
	Phone string   `json:"phone"`
	Names []string `json:"names"`
}

// shortestName is the shortest name that is searched for, in characters: shorter ones match parts of many words.
const shortestName = 3

func readSubject(r *http.Request) (subject, error) {
	var asked subject
	if err := wire.Read(r, &asked); err != nil {
		return asked, err
	}
	words := []string{}
	for _, word := range append(asked.Names, asked.Phone) {
		if utf8.RuneCountInString(word) >= shortestName {
			words = append(words, word)
		}
	}
	asked.Names = words
	return asked, nil
}

const namesSubject = `EXISTS (SELECT FROM unnest($1::text[]) word WHERE strpos(lower(message), lower(word)) > 0)`

const selectOf = `
SELECT id::text, message, type, target_roles, sender, coalesce(sender_role, ''), created_at FROM notifications WHERE ` + namesSubject + ` ORDER BY created_at, id`

const eraseOf = `
UPDATE notifications SET message = 'Erased' WHERE ` + namesSubject + `
RETURNING id::text, message, type, target_roles, sender, coalesce(sender_role, ''), created_at`

// Answers that are kept for a repeated request hold the message as it was sent.
const redactAnswers = `
UPDATE idempotency SET answer = jsonb_set(answer, '{notification,message}', '"Erased"') WHERE answer->'notification'->>'id' = ANY($1)`

// subjectAnswer is all data that this service stores about a data subject.
type subjectAnswer struct {
	Notifications []contract.Notification `json:"notifications"`
}

func (s *Service) exportSubject(ctx context.Context, asked subject) (answer subjectAnswer, err error) {
	answer.Notifications, err = collectNotifications(s.pool.Query(ctx, selectOf, asked.Names))
	return answer, postgres.Classify(err)
}

// erasedAnswer names what was erased.
type erasedAnswer struct {
	Erased []string `json:"erased"`
}

// eraseSubject replaces the text of messages that name the subject. It is idempotent.
func (s *Service) eraseSubject(ctx context.Context, asked subject) (erasedAnswer, error) {
	answer := erasedAnswer{Erased: []string{}}
	err := s.outbox.InTx(ctx, func(tx pgx.Tx) error {
		erased, err := collectNotifications(tx.Query(ctx, eraseOf, asked.Names))
		if err != nil || len(erased) == 0 {
			return err
		}
		ids := make([]string, len(erased))
		changes := make([]outbox.Change, len(erased))
		for i, n := range erased {
			ids[i] = n.ID
			changes[i] = outbox.Change{Type: contract.NotificationErased, Entity: contract.EntityNotification, EntityID: n.ID, After: n}
		}
		answer.Erased = ids
		if err := outbox.Redact(ctx, tx, contract.EntityNotification, ids, map[string]string{"message": "Erased"}); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, redactAnswers, ids); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, changes...)
	})
	return answer, postgres.Classify(err)
}

func collectNotifications(rows pgx.Rows, err error) ([]contract.Notification, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (n contract.Notification, err error) {
		var at time.Time
		err = row.Scan(&n.ID, &n.Message, &n.Type, &n.TargetRoles, &n.Sender, &n.SenderRole, &at)
		n.CreatedAt = wire.Time(at)
		return n, err
	})
}
