package realtime

import (
	"context"
	"log/slog"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/privacy"
	"baari.dev/services/platform/wire"
)

// InternalRoutes returns the routes of privacy requests: export and erasure of the messages that name the subject.
func (s *Service) InternalRoutes() []endpoint.Route {
	return privacy.Routes(privacy.Handlers{
		Asker:  contract.SourceVisits,
		Export: endpoint.JSON(readSubject, s.exportSubject),
		Erase:  endpoint.JSON(readSubject, s.eraseSubject),
	})
}

// subject has the phone and the names by which a message can refer to a person.
type subject struct {
	Phone string   `json:"phone"`
	Names []string `json:"names"`
}

// shortestName is the length of the shortest name that is searched for, in characters, because shorter ones are part of
// many words.
const shortestName = 3

// readSubject returns the search terms: the phone, and the names that are long enough.
func readSubject(r *http.Request) (words []string, err error) {
	var req subject
	if err := wire.Read(r, &req); err != nil {
		return nil, err
	}
	words = []string{}
	for _, word := range append(req.Names, req.Phone) {
		if utf8.RuneCountInString(word) >= shortestName {
			words = append(words, word)
		}
	}
	return words, nil
}

type subjectAnswer struct {
	Notifications []contract.Notification `json:"notifications"`
}

func (s *Service) exportSubject(ctx context.Context, words []string) (subjectAnswer, error) {
	found, err := s.store.notificationsOf(ctx, words)
	return subjectAnswer{Notifications: found}, err
}

// eraseSubject erases the messages that name the subject, in notifications, stored responses and earlier events, and
// appends an event for each notification. It is idempotent.
func (s *Service) eraseSubject(ctx context.Context, words []string) (privacy.Erased, error) {
	redaction := map[string]string{"message": "Erased"}
	ids, err := privacy.Erase(ctx, s.outbox, redaction, func(tx pgx.Tx) ([]outbox.Change, error) {
		erased, err := s.store.eraseOf(ctx, tx, words)
		if err != nil || len(erased) == 0 {
			return nil, err
		}
		ids := make([]string, len(erased))
		changes := make([]outbox.Change, len(erased))
		for i, n := range erased {
			ids[i], changes[i] = n.ID, notificationErased(n)
		}
		return changes, s.store.redactAnswers(ctx, tx, ids)
	})
	return privacy.Erased{Erased: ids}, err
}

// ForgetOld returns a function that deletes, hourly until ctx ends, notifications older than the given number of days.
func (s *Service) ForgetOld(days int, log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		ticker := time.NewTicker(time.Hour)
		defer ticker.Stop()
		for {
			if err := s.store.deleteOld(ctx, days); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, "old notifications were not deleted; the next attempt is in an hour", "cause", err)
			}
			select {
			case <-ctx.Done():
				return nil
			case <-ticker.C:
			}
		}
	}
}
