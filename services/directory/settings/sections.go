package settings

import (
	"context"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// Change is a change of a section that an admin asks for. Version is the section's version that the admin has seen.
type Change struct {
	Section office.Section
	Value   jsontext.Value
	Version int64
}

// Saved is the outcome of a change: the document's version, and the effects of the new values.
type Saved struct {
	Version        int64
	SectionVersion int64
	Values         map[string]jsontext.Value // keys are those of sections
	Effects        []Effect
}

// Change stores a value of a section as the next version. An equal value stores nothing. It returns fault.ErrStale with
// the section's current value if the section has another version, errInFile in the mode file, and the faults of keys.
func (s *Settings) Change(ctx context.Context, change Change) (Saved, error) {
	key := change.Section.Key
	e := entry{Source: ModeProduct, Kind: contract.OfficeChanged, By: callerOf(ctx)}
	return s.change(ctx, e, []string{key}, func(last state) (office.Document, error) {
		if last.sections[key].Version != change.Version {
			return last.Document, stale(last, change.Section)
		}
		return office.Put(last.Document, map[string]jsontext.Value{key: change.Value})
	})
}

// change stores the document that edit returns as the next version, unless it has the same values. keys are the
// sections of the answer.
func (s *Settings) change(
	ctx context.Context, e entry, keys []string, edit func(state) (office.Document, error),
) (Saved, error) {
	if s.Mode == ModeFile {
		return Saved{}, errInFile
	}
	today, err := s.Today(ctx)
	if err != nil {
		return Saved{}, err
	}
	var saved Saved
	var now Current
	err = s.Outbox.InTx(ctx, func(tx pgx.Tx) error {
		last, err := s.store.lock(ctx, tx)
		if err != nil {
			return err
		}
		after, err := edit(last)
		if err != nil {
			return invalid(err)
		}
		if saved.Effects, err = s.effects(ctx, tx, today, last.Document, after); err != nil {
			return err
		}
		now, saved.SectionVersion = last.Current, last.sections[keys[0]].Version
		e.Sections, err = changedSections(last.Document, after)
		if err == nil {
			err = invalid(s.checkNotice(ctx, tx, e.Sections, after.Notice))
		}
		if err == nil && len(e.Sections) > 0 {
			now, err = s.add(ctx, tx, last, after, e)
			saved.SectionVersion = now.Version
		}
		if err != nil {
			return err
		}
		return s.noteSections(ctx, tx, e)
	})
	if err != nil {
		return Saved{}, err
	}
	s.advance(now)
	saved.Version = now.Version
	saved.Values, err = valuesOf(now.Document, keys)
	return saved, err
}

const noticeSection = "notice"

// checkNotice returns Problems if the notice is among the changed sections, and a version of the document has another
// one with the same version: visits store only the version of the notice that a visitor has accepted.
func (s *Settings) checkNotice(ctx context.Context, q querier, sections []string, notice office.Notice) error {
	if !slices.Contains(sections, noticeSection) {
		return nil
	}
	used, err := s.store.hasOtherNotice(ctx, q, notice)
	if err != nil || !used {
		return err
	}
	return office.Problems{{Key: "/notice/version", What: "is the version of another text", Code: office.NewVersion}}
}

func valuesOf(document office.Document, keys []string) (map[string]jsontext.Value, error) {
	values := map[string]jsontext.Value{}
	for _, key := range keys {
		section, _ := office.SectionOf(key)
		value, err := section.Of(document)
		if err != nil {
			return nil, err
		}
		values[key] = value
	}
	return values, nil
}

// stale returns fault.ErrStale with the last change of a section and its value, as JSON text.
func stale(last state, section office.Section) error {
	value, err := section.Of(last.Document)
	if err != nil {
		return err
	}
	by := last.sections[section.Key]
	at, err := wire.Time(by.At).MarshalText()
	if err != nil {
		return err
	}
	return fault.ErrStale.With("section", section.Key).With("version", by.Version).With("name", by.By.Name).
		With("at", string(at)).With("value", string(value))
}

// The messages for the codes of problems. The names of the codes are those of package fault.
var messages = map[office.Code]fault.Message{
	office.Required:      fault.NewMessage(fault.CodeRequired, "This field is required"),
	office.TooLong:       fault.NewMessage(fault.CodeTooLong, "Please shorten the text"),
	office.TooMany:       fault.NewMessage(fault.CodeTooMany, "Please enter fewer entries"),
	office.UnknownChoice: fault.NewMessage(fault.CodeUnknownChoice, "Please choose from the list"),
	office.InvalidNumber: fault.NewMessage(fault.CodeInvalidNumber, "Please enter a whole number that is allowed here"),
	office.InvalidValue:  fault.NewMessage(fault.CodeInvalidValue, "Please check this value"),
	office.IllegalText: fault.NewMessage(fault.CodeIllegalText,
		"Please use only letters, digits and punctuation in the text"),
	office.NewVersion: fault.NewMessage(fault.CodeNewVersion, "Please give the changed notice a new version."),
}

// invalid converts office.Problems to the faults of their keys. It returns other errors as they are.
func invalid(err error) error {
	var problems office.Problems
	if !errors.As(err, &problems) {
		return err
	}
	var rejected fault.Fields
	for _, problem := range problems {
		message := messages[problem.Code]
		if problem.Max > 0 {
			message = message.With("max", problem.Max)
		}
		rejected.Reject(problem.Key, message)
	}
	return rejected.Err()
}

// Preview is what a change would do.
type Preview struct {
	Changes []office.Change
	Effects []Effect
}

// Preview returns the changes and effects of a value of a section, and stores nothing.
func (s *Settings) Preview(ctx context.Context, section office.Section, value jsontext.Value) (Preview, error) {
	before := s.Load().Document
	after, err := office.Put(before, map[string]jsontext.Value{section.Key: value})
	if err != nil {
		return Preview{}, invalid(err)
	}
	shown, err := s.preview(ctx, before, after)
	return shown, invalid(err)
}

// preview returns Problems if after cannot follow before.
func (s *Settings) preview(ctx context.Context, before, after office.Document) (Preview, error) {
	sections, err := changedSections(before, after)
	if err != nil {
		return Preview{}, err
	}
	if err := s.checkNotice(ctx, s.store.pool, sections, after.Notice); err != nil {
		return Preview{}, postgres.Classify(err)
	}
	changes, err := changesOf(before, after, sections)
	if err != nil {
		return Preview{}, err
	}
	today, err := s.Today(ctx)
	if err != nil {
		return Preview{}, err
	}
	effects, err := s.effects(ctx, s.store.pool, today, before, after)
	return Preview{changes, effects}, postgres.Classify(err)
}

// changesOf lists the keys of some sections that differ between two documents.
func changesOf(before, after office.Document, keys []string) ([]office.Change, error) {
	all := []office.Change{}
	for _, key := range keys {
		section, _ := office.SectionOf(key)
		was, err := section.Of(before)
		if err != nil {
			return nil, err
		}
		is, err := section.Of(after)
		if err != nil {
			return nil, err
		}
		changes, err := office.Changes(was, is)
		if err != nil {
			return nil, err
		}
		all = append(all, changes...)
	}
	return all, nil
}

// Overview is the document's version and every section with its last change.
type Overview struct {
	Current
	Last     stamp // the last change of all
	Sections map[string]stamp
	Values   map[string]jsontext.Value
}

// Overview returns all sections.
func (s *Settings) Overview(ctx context.Context) (Overview, error) {
	last, err := s.store.state(ctx)
	if err != nil {
		return Overview{}, err
	}
	s.advance(last.Current)
	all := Overview{Current: last.Current, Sections: last.sections}
	for _, one := range last.sections {
		if one.Version > all.Last.Version {
			all.Last = one
		}
	}
	all.Values, err = valuesOf(last.Document, sectionKeys())
	return all, err
}

func callerOf(ctx context.Context) author {
	caller, _ := identity.From(ctx)
	return author{caller.ID, caller.Name}
}

// Import stores a whole document for the operator, without its services and its time zone. With preview it stores
// nothing; else it returns errInFile in the mode file. It returns office.Problems if the document cannot follow the
// current one.
func (s *Settings) Import(ctx context.Context, document office.Document, preview bool) (Saved, Preview, error) {
	values, err := valuesOf(document, sectionKeys())
	if err != nil {
		return Saved{}, Preview{}, err
	}
	before := s.Load().Document
	after, err := office.Put(before, values)
	if err != nil {
		return Saved{}, Preview{}, err
	}
	shown, err := s.preview(ctx, before, after)
	if err != nil || preview {
		return Saved{}, shown, err
	}
	operator := outbox.Actor{Name: contract.CallerOperator}
	e := entry{
		Source: ModeProduct, Kind: contract.OfficeChanged, By: author{Name: operator.Name}, Actor: &operator,
	}
	saved, err := s.change(ctx, e, sectionKeys(), func(last state) (office.Document, error) {
		return office.Put(last.Document, values)
	})
	return saved, shown, err
}
