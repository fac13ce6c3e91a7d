package settings

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/contract"
	"baari.dev/services/office"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

// Routes returns the routes of the public listener. All are for admins.
func (s *Settings) Routes() []endpoint.Route {
	admin := func(method, pattern string, handler endpoint.Handler) endpoint.Route {
		return endpoint.Route{
			Method: method, Pattern: "/api/office" + pattern, Access: endpoint.Roles(contract.RoleAdmin),
			Limit: limit.Product, Handler: handler,
		}
	}
	return []endpoint.Route{
		admin(http.MethodGet, "/settings", endpoint.JSON(endpoint.Nothing, s.getSettings)),
		admin(http.MethodPut, "/settings/{section}", endpoint.JSON(readChange, s.putSection)),
		admin(http.MethodPost, "/settings/{section}/preview", endpoint.JSON(readPreview, s.previewSection)),
		admin(http.MethodGet, "/versions", endpoint.JSON(readPage, s.listVersions)),
		admin(http.MethodGet, "/versions/{n}", endpoint.JSON(readNumber, s.getVersion)),
		admin(http.MethodPost, "/versions/{n}/restore", endpoint.JSON(readRestore, s.restoreSections)),
		admin(http.MethodGet, "/holidays", endpoint.JSON(endpoint.Nothing, getHolidays)),
		admin(http.MethodGet, "/setup", endpoint.JSON(endpoint.Nothing, s.getSetup)),
		admin(http.MethodPut, "/setup/{key}", endpoint.JSON(readTick, s.putSetupItem)),
		admin(http.MethodPost, "/setup/dismiss", endpoint.JSON(readDismiss, s.putSetupItem)),
	}
}

// InternalRoutes returns the routes of the operator.
func (s *Settings) InternalRoutes() []endpoint.Route {
	operator := endpoint.Service(contract.CallerOperator)
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/internal/office", Access: operator,
			Handler: endpoint.JSON(endpoint.Nothing, s.exportOffice)},
		{Method: http.MethodPost, Pattern: "/internal/office", Access: operator,
			Handler: endpoint.JSON(readImport, s.importOffice)},
	}
}

// Limits of requests, in bytes. A notice has up to 23 languages.
const (
	largestNotice   = 256 << 10
	largestDocument = 1 << 20
)

var (
	valueMissing   = fault.NewMessage(fault.CodeRequired, "The value is required")
	versionMissing = fault.NewMessage(fault.CodeRequired, "The version is required")
	sectionsWrong  = fault.NewMessage(fault.CodeUnknownChoice, "Please choose sections from the list")
	flagMissing    = fault.NewMessage(fault.CodeInvalidFlag, "Please choose yes or no")
	pageWrong      = fault.NewMessage(fault.CodeInvalidNumber, "The page is a number from 1").With("min", 1)
	limitWrong     = fault.NewMessage(fault.CodeInvalidNumber, "The limit is a number from 1 to 100").
			With("min", 1).With("max", mostVersions)
)

const (
	mostVersions = 100
	usualPage    = 20
)

type valueBody struct {
	Value   wire.Field[jsontext.Value] `json:"value"`
	Version wire.Field[int64]          `json:"version"`
}

func readChange(r *http.Request) (Change, error) { return readValue(r, true) }

func readPreview(r *http.Request) (Change, error) { return readValue(r, false) }

// readValue reads a value of the section in the path, and the version that the caller has seen if versioned is true. An
// unknown section is fault.ErrNotFound, after the faults of the body.
func readValue(r *http.Request, versioned bool) (Change, error) {
	section, known := office.SectionOf(r.PathValue("section"))
	most := int64(wire.MaxBody)
	if section.Key == noticeSection {
		most = largestNotice
	}
	var body valueBody
	if err := wire.ReadUpTo(r, most, &body); err != nil {
		return Change{}, err
	}
	var rejected fault.Fields
	change := Change{Section: section, Value: body.Value.Value}
	if !body.Value.Present {
		rejected.Reject("value", valueMissing)
	}
	if versioned {
		change.Version = readVersion(r, body.Version, &rejected)
	}
	if err := rejected.Err(); err != nil || known {
		return change, err
	}
	return change, fault.ErrNotFound
}

func readVersion(r *http.Request, field wire.Field[int64], rejected *fault.Fields) int64 {
	version := wire.Version(field, r.Header.Get("If-Match"), rejected)
	if version == nil {
		rejected.Reject("version", versionMissing)
		return 0
	}
	return *version
}

type page struct{ Page, Limit int }

func readPage(r *http.Request) (page, error) {
	const mostPages = 1 << 20
	var rejected fault.Fields
	query := r.URL.Query()
	p := page{
		wire.Number(query, "page", 1, mostPages, pageWrong, &rejected),
		wire.Number(query, "limit", usualPage, mostVersions, limitWrong, &rejected),
	}
	return p, rejected.Err()
}

// readNumber reads the number of a version in the path. No other text is a version.
func readNumber(r *http.Request) (int64, error) {
	n, err := strconv.ParseInt(r.PathValue("n"), 10, 64)
	if err != nil || n < 1 {
		return 0, fault.ErrNotFound
	}
	return n, nil
}

type restoreRequest struct {
	Number   int64
	Sections []office.Section
	Seen     int64
}

func readRestore(r *http.Request) (restoreRequest, error) {
	n, unknown := readNumber(r)
	var body struct {
		Sections wire.Field[[]string] `json:"sections"`
		Version  wire.Field[int64]    `json:"version"`
	}
	if err := wire.Read(r, &body); err != nil {
		return restoreRequest{}, err
	}
	var rejected fault.Fields
	req := restoreRequest{Number: n, Seen: readVersion(r, body.Version, &rejected)}
	for _, section := range office.Sections {
		if slices.Contains(body.Sections.Value, section.Key) {
			req.Sections = append(req.Sections, section)
		}
	}
	if len(req.Sections) == 0 || len(req.Sections) != len(body.Sections.Value) {
		rejected.Reject("sections", sectionsWrong)
	}
	return req, cmp.Or(rejected.Err(), unknown)
}

type tickRequest struct {
	Key  string
	Done bool
}

func readTick(r *http.Request) (tickRequest, error) {
	var body struct {
		Done wire.Field[bool] `json:"done"`
	}
	key := r.PathValue("key")
	err := readFlag(r, &body, &body.Done, "done")
	if err == nil && !slices.Contains(tickedKeys, key) {
		err = fault.ErrNotFound
	}
	return tickRequest{key, body.Done.Value}, err
}

func readDismiss(r *http.Request) (tickRequest, error) {
	var body struct {
		Dismissed wire.Field[bool] `json:"dismissed"`
	}
	err := readFlag(r, &body, &body.Dismissed, "dismissed")
	return tickRequest{dismissedKey, body.Dismissed.Value}, err
}

// readFlag reads a body whose field flag is required.
func readFlag(r *http.Request, body any, flag *wire.Field[bool], name string) error {
	if err := wire.Read(r, body); err != nil {
		return err
	}
	if !flag.Present || flag.Wrong {
		return fault.Field(name, flagMissing)
	}
	return nil
}

type importRequest struct {
	Document office.Document
	Problems []string // what is wrong with the document
	Preview  bool
}

func readImport(r *http.Request) (importRequest, error) {
	var body struct {
		Document wire.Field[jsontext.Value] `json:"document"`
		Preview  wire.Field[bool]           `json:"preview"`
	}
	if err := wire.ReadUpTo(r, largestDocument, &body); err != nil {
		return importRequest{}, err
	}
	req := importRequest{Preview: body.Preview.Value}
	var err error
	if req.Document, err = office.Read(body.Document.Value); err != nil {
		req.Problems = strings.Split(err.Error(), "\n")
	}
	return req, nil
}

func (s *Settings) getSettings(ctx context.Context, _ struct{}) (settingsAnswer, error) {
	all, err := s.Overview(ctx)
	return s.settingsOf(all), err
}

func (s *Settings) putSection(ctx context.Context, change Change) (savedAnswer, error) {
	saved, err := s.Change(ctx, change)
	key := change.Section.Key
	return savedAnswer{savedBody{saved.Version, key, saved.SectionVersion, saved.Values[key], saved.Effects}}, err
}

func (s *Settings) previewSection(ctx context.Context, change Change) (previewAnswer, error) {
	preview, err := s.Preview(ctx, change.Section, change.Value)
	return previewAnswer{previewBody(preview)}, err
}

func (s *Settings) listVersions(ctx context.Context, p page) (versionsAnswer, error) {
	list, total, err := s.Versions(ctx, p.Page, p.Limit)
	return versionsOf(list, total, p), err
}

func (s *Settings) getVersion(ctx context.Context, n int64) (versionAnswer, error) {
	version, changes, err := s.Version(ctx, n)
	return versionAnswer{describedBody{versionOf(version), changes}}, err
}

func (s *Settings) restoreSections(ctx context.Context, req restoreRequest) (restoredAnswer, error) {
	saved, err := s.Restore(ctx, req.Number, req.Sections, req.Seen)
	return restoredAnswer{restoredBody(saved)}, err
}

func (s *Settings) putSetupItem(ctx context.Context, req tickRequest) (setupAnswer, error) {
	if err := s.store.tick(ctx, req.Key, req.Done, callerOf(ctx)); err != nil {
		return setupAnswer{}, err
	}
	return s.getSetup(ctx, struct{}{})
}

func (s *Settings) getSetup(ctx context.Context, _ struct{}) (setupAnswer, error) {
	setup, err := s.Setup(ctx)
	return setupOf(setup), err
}

func (s *Settings) exportOffice(context.Context, struct{}) (exportAnswer, error) {
	now := s.Load()
	return exportAnswer{now.Version, s.Mode, now.Document}, nil
}

func (s *Settings) importOffice(ctx context.Context, req importRequest) (importAnswer, error) {
	if req.Problems != nil {
		return importAnswer{Problems: req.Problems}, nil
	}
	saved, preview, err := s.Import(ctx, req.Document, req.Preview)
	var problems office.Problems
	if errors.As(err, &problems) {
		return importAnswer{Problems: strings.Split(problems.Error(), "\n")}, nil
	}
	return importAnswer{saved.Version, nil, preview.Changes, preview.Effects}, err
}
