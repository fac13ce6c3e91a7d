// Package settings has the settings of the office that auth uses and that can change while it runs: the office's name,
// its languages and the mode of sign-up. They are a copy of the office document, which auth follows by the events of
// directory. While directory is unavailable the last values stay.
//
// Start with Copy; store_settings.go has its SQL.
package settings

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	offices "baari.dev/services/office"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
)

// Settings are the settings of one version of the office document. Version is 0 for those of the configuration, and
// until the events of a new epoch of directory are applied.
type Settings struct {
	Version      int64
	Brand        string
	Languages    []string // the default first
	Registration string   // the mode of sign-up
}

// Copy is auth's copy of the settings.
type Copy struct {
	pool       *pgxpool.Pool
	configured Settings
	current    atomic.Pointer[Settings]
}

// New returns the copy in the database of pool. configured applies until the copy has a version of the document.
func New(pool *pgxpool.Pool, configured Settings) *Copy {
	c := &Copy{pool: pool, configured: configured}
	c.current.Store(&configured)
	return c
}

// Current returns the settings that this replica has applied.
func (c *Copy) Current() Settings { return *c.current.Load() }

// Metric returns the collector of the version that this replica has applied.
func (c *Copy) Metric() prometheus.Collector {
	return offices.VersionCollector(func(context.Context) (int64, error) { return c.Current().Version, nil })
}

// Follow returns the sink that applies directory's events. The replicas share the copy and its position: each event is
// stored by one of them, and the others read what it has stored.
func (c *Copy) Follow() feed.Sink {
	return sink{c, &feed.Projection{Pool: c.pool, Source: contract.SourceDirectory, Apply: apply, Empty: restart}}
}

// sink reads the copy again whenever this or another replica has changed it.
type sink struct {
	copied *Copy
	*feed.Projection
}

// Position implements feed.Sink. A follower calls it at its start, and when another replica has applied events.
func (s sink) Position(ctx context.Context) (feed.Position, error) {
	pos, err := s.Projection.Position(ctx)
	if err != nil {
		return pos, err
	}
	return pos, s.copied.Load(ctx)
}

// Deliver implements feed.Sink. If the read after the delivery fails, the next delivery finds that the position has
// moved, and Position reads again.
func (s sink) Deliver(ctx context.Context, batch feed.Batch) error {
	if err := s.Projection.Deliver(ctx, batch); err != nil || !slices.ContainsFunc(batch.Events, isOffice) {
		return err
	}
	return s.copied.Load(ctx)
}

// Restart implements feed.Sink.
func (s sink) Restart(ctx context.Context, head feed.Position) (feed.Position, error) {
	pos, err := s.Projection.Restart(ctx, head)
	if err != nil {
		return pos, err
	}
	return pos, s.copied.Load(ctx)
}

func isOffice(event outbox.Event) bool {
	switch event.Type {
	case contract.OfficeLoaded, contract.OfficeChanged, contract.OfficeRestored:
		// A release without versions of the document publishes version 0. Its settings do not replace REGISTRATION.
		return event.Version > 0
	}
	return false
}

func apply(ctx context.Context, tx pgx.Tx, event outbox.Event) error {
	if !isOffice(event) {
		return nil
	}
	var document struct {
		Brand     string   `json:"brand"`
		Languages []string `json:"languages"`
		Features  struct {
			Registration string `json:"registration"`
		} `json:"features"`
	}
	if err := json.Unmarshal(event.After, &document); err != nil {
		return err
	}
	return keep(ctx, tx, Settings{
		Version: event.Version, Brand: document.Brand, Languages: document.Languages,
		Registration: document.Features.Registration,
	})
}
