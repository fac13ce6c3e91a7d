package settings

import (
	"context"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/office"
)

// Version describes a version of the document.
type Version struct {
	Number       int64
	At           time.Time
	By           author
	Sections     []string // the sections that differ from the version before; all of version 1
	Source       string   // ModeFile or ModeProduct
	RestoredFrom *int64   // the version whose sections it has again
}

func (v *Version) columns() []any {
	return []any{&v.Number, &v.At, &v.By.ID, &v.By.Name, &v.Sections, &v.Source, &v.RestoredFrom}
}

// Versions returns a page of the versions, newest first, and the number of all. Pages count from 1.
func (s *Settings) Versions(ctx context.Context, page, limit int) ([]Version, int, error) {
	return s.store.versions(ctx, limit, (page-1)*limit)
}

// Version returns a version and what it changed, or fault.ErrNotFound. Version 1 has changed nothing.
func (s *Settings) Version(ctx context.Context, n int64) (Version, []office.Change, error) {
	version, after, err := s.store.described(ctx, n)
	if err != nil || n == 1 {
		return version, []office.Change{}, err
	}
	before, err := s.store.version(ctx, n-1)
	if err != nil {
		return version, nil, err
	}
	changes, err := changesOf(before.Document, after, version.Sections)
	return version, changes, err
}

// Restore gives sections the values of an earlier version. seen is the document's version that the admin has seen. It
// returns fault.ErrStale if one of the sections has changed since, fault.ErrNotFound for an unknown version, and the
// faults of keys that are invalid with the other sections of today.
func (s *Settings) Restore(ctx context.Context, n int64, sections []office.Section, seen int64) (Saved, error) {
	earlier, err := s.store.version(ctx, n)
	if err != nil {
		return Saved{}, err
	}
	keys := make([]string, len(sections))
	for i, section := range sections {
		keys[i] = section.Key
	}
	values, err := valuesOf(earlier.Document, keys)
	if err != nil {
		return Saved{}, err
	}
	e := entry{Source: ModeProduct, Kind: contract.OfficeRestored, RestoredFrom: &n, By: callerOf(ctx)}
	return s.change(ctx, e, keys, func(last state) (office.Document, error) {
		for _, section := range sections {
			if last.sections[section.Key].Version > seen {
				return office.Document{}, stale(last, section)
			}
		}
		return office.Put(last.Document, values)
	})
}
