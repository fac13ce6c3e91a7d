// Package settings owns the office document. The document has numbered versions; admins change it section by section,
// and each change is a version with its event. Every replica holds the last version in memory.
//
// Start with Settings and its use cases in sections.go and versions.go. effects.go says what a change means for
// appointments and visitors, setup.go has the checklist of a new office, store.go the SQL and http.go the routes.
package settings

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/outbox"
)

// The modes: who edits the document.
const (
	ModeProduct = "product" // admins; the file is only the first version
	ModeFile    = "file"    // the operator, in OFFICE_FILE
)

// Options are the dependencies and the configuration of Settings.
type Options struct {
	Pool         *pgxpool.Pool
	Outbox       *outbox.Outbox
	File         office.Document // the document of OFFICE_FILE
	Mode         string
	Registration string // replaces features.registration of File; "": none
	Log          *slog.Logger
	Today        func(context.Context) (string, error) // the office day, such as 2026-11-30
}

// Current is the document in use. Version is 0 before Start.
type Current struct {
	office.Document
	Version int64
}

// Settings has the use cases. Its methods are safe for concurrent use.
type Settings struct {
	Options
	store   *store
	current atomic.Pointer[Current]
}

// New returns settings that hold the document of the file until Start.
func New(options Options) *Settings {
	s := &Settings{Options: options, store: &store{pool: options.Pool}}
	s.current.Store(&Current{Document: s.fileDocument(options.File)})
	return s
}

// Load returns the current document.
func (s *Settings) Load() *Current { return s.current.Load() }

var errInFile = fault.New(fault.Conflict, "office_in_file",
	"These settings are in the office's file. Change them there: baarictl office export.")

// Conflicts are the codes of the package's 409 answers.
var Conflicts = []string{errInFile.Code}

func (s *Settings) fileDocument(file office.Document) office.Document {
	if s.Registration != "" {
		file.Features.Registration = s.Registration
	}
	return file
}

// Start stores version 1 if there is none: the document that a release without versions has loaded last, or that of the
// file. In the mode file, a file that differs from the last version is the next one.
func (s *Settings) Start(ctx context.Context) error { return s.load(ctx, s.File) }

// Reload handles a new text of the file. A document with another time zone is rejected, because the days of stored rows
// would be wrong.
func (s *Settings) Reload(ctx context.Context, file office.Document) error {
	if zone := s.File.TimeZone; file.TimeZone != zone {
		return fmt.Errorf("key /timeZone: the zone %s cannot change while the services run", zone)
	}
	return s.load(ctx, file)
}

func (s *Settings) load(ctx context.Context, file office.Document) error {
	var now Current
	err := s.Outbox.InTx(ctx, func(tx pgx.Tx) error {
		last, err := s.store.lock(ctx, tx)
		if err != nil {
			return err
		}
		if last.Version == 0 {
			if last, err = s.begin(ctx, tx, file); err != nil {
				return err
			}
		}
		now = last.Current
		document := s.fileDocument(file)
		if same, err := equal(last.Document, document); err != nil || same {
			return err
		}
		if s.Mode != ModeFile {
			s.Log.InfoContext(ctx, "OFFICE_FILE differs from the settings and is not used", "version", last.Version)
			return nil
		}
		if err := s.store.saveFile(ctx, tx, file.ForOlder()); err != nil {
			return err
		}
		now, err = s.add(ctx, tx, last, document, entry{Source: ModeFile, Kind: contract.OfficeLoaded})
		return err
	})
	if err != nil {
		return err
	}
	s.advance(now)
	return nil
}

// begin stores version 1, and the file for a release without versions.
func (s *Settings) begin(ctx context.Context, tx pgx.Tx, file office.Document) (state, error) {
	var last state
	loaded, err := s.store.loadedFile(ctx, tx)
	if err != nil {
		return last, err
	}
	document := file
	if loaded != nil {
		last.raw = loaded
		if document, err = office.Stored(loaded); err != nil {
			return last, err
		}
	} else if err := s.store.saveFile(ctx, tx, file.ForOlder()); err != nil {
		return last, err
	}
	last.Current, err = s.add(ctx, tx, last, s.fileDocument(document), entry{
		Source: ModeFile, Kind: contract.OfficeLoaded, Sections: sectionKeys(),
	})
	if err != nil {
		return last, err
	}
	last.raw, err = json.Marshal(last.Document)
	return last, err
}

func sectionKeys() []string {
	keys := make([]string, len(office.Sections))
	for i, section := range office.Sections {
		keys[i] = section.Key
	}
	return keys
}

// entry describes a new version. Sections are those that differ from the version before if the field is nil.
type entry struct {
	Source       string
	Kind         string
	Sections     []string
	RestoredFrom *int64
	By           author
	Actor        *outbox.Actor // nil: the signed-in caller, or the system
}

// add stores the next version and appends its event. last is locked.
func (s *Settings) add(
	ctx context.Context, tx pgx.Tx, last state, document office.Document, e entry,
) (Current, error) {
	document.TimeZone = s.File.TimeZone
	after := Current{document, last.Version + 1}
	if e.Sections == nil {
		var err error
		if e.Sections, err = changedSections(last.Document, document); err != nil {
			return after, err
		}
	}
	raw, err := json.Marshal(document)
	if err != nil {
		return after, err
	}
	if err := s.store.addVersion(ctx, tx, after.Version, raw, e); err != nil {
		return after, err
	}
	change := outbox.Change{
		Type: e.Kind, Entity: contract.EntityOffice, EntityID: contract.OfficeID, Version: after.Version,
		After: jsontext.Value(raw), Actor: e.Actor,
	}
	if last.raw != nil {
		change.Before = jsontext.Value(last.raw)
	}
	return after, outbox.Append(ctx, tx, change)
}

func changedSections(before, after office.Document) ([]string, error) {
	keys := []string{}
	for _, section := range office.Sections {
		was, err := section.Of(before)
		if err != nil {
			return nil, err
		}
		is, err := section.Of(after)
		if err != nil {
			return nil, err
		}
		if string(was) != string(is) {
			keys = append(keys, section.Key)
		}
	}
	return keys, nil
}

func equal(a, b office.Document) (bool, error) {
	one, err := json.Marshal(a, json.Deterministic(true))
	if err != nil {
		return false, err
	}
	other, err := json.Marshal(b, json.Deterministic(true))
	return string(one) == string(other), err
}

// advance makes a version the current one, unless a later one is.
func (s *Settings) advance(to Current) {
	to.TimeZone = s.File.TimeZone
	for {
		now := s.current.Load()
		if to.Version <= now.Version || s.current.CompareAndSwap(now, &to) {
			return
		}
	}
}

// followEvery is how often a replica looks for versions of other replicas.
const followEvery = 500 * time.Millisecond

// Follow loads versions that other replicas have stored, until ctx ends.
func (s *Settings) Follow(ctx context.Context) error {
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	failed := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		err := s.refresh(ctx)
		if err != nil && !failed && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "the version of the office document cannot be read", "cause", err)
		}
		failed = err != nil
	}
}

func (s *Settings) refresh(ctx context.Context) error {
	newest, err := s.store.newest(ctx)
	if err != nil || newest <= s.Load().Version {
		return err
	}
	last, err := s.store.version(ctx, newest)
	if err == nil {
		s.advance(last)
	}
	return err
}

// Collector returns the metric of the version in use.
func (s *Settings) Collector() prometheus.Collector {
	return office.VersionCollector(func(context.Context) (int64, error) { return s.Load().Version, nil })
}
