package settings

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"baari.dev/services/office"
	"baari.dev/services/platform/wire"
)

type authorBody struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// bodyOf returns nil for the system.
func (a author) bodyOf() *authorBody {
	if a == (author{}) {
		return nil
	}
	return &authorBody{a.ID, a.Name}
}

type sectionBody struct {
	Version   int64          `json:"version"`
	ChangedAt wire.Time      `json:"changedAt"`
	ChangedBy *authorBody    `json:"changedBy"`
	Value     jsontext.Value `json:"value"`
}

type settingsBody struct {
	Version   int64                  `json:"version"`
	Mode      string                 `json:"mode"`
	ChangedAt wire.Time              `json:"changedAt"`
	ChangedBy *authorBody            `json:"changedBy"`
	TimeZone  string                 `json:"timeZone"`
	Sections  map[string]sectionBody `json:"sections"`
}

type settingsAnswer struct {
	Office settingsBody `json:"office"`
}

func (s *Settings) settingsOf(all Overview) settingsAnswer {
	body := settingsBody{
		Version: all.Version, Mode: s.Mode, ChangedAt: wire.Time(all.Last.At), ChangedBy: all.Last.By.bodyOf(),
		TimeZone: s.File.TimeZone, Sections: map[string]sectionBody{},
	}
	for key, value := range all.Values {
		by := all.Sections[key]
		body.Sections[key] = sectionBody{by.Version, wire.Time(by.At), by.By.bodyOf(), value}
	}
	return settingsAnswer{body}
}

type savedBody struct {
	Version        int64          `json:"version"`
	Section        string         `json:"section"`
	SectionVersion int64          `json:"sectionVersion"`
	Value          jsontext.Value `json:"value"`
	Effects        []Effect       `json:"effects"`
}

type savedAnswer struct {
	Office savedBody `json:"office"`
}

type restoredBody struct {
	Version        int64                     `json:"version"`
	SectionVersion int64                     `json:"sectionVersion"`
	Values         map[string]jsontext.Value `json:"values"`
	Effects        []Effect                  `json:"effects"`
}

type restoredAnswer struct {
	Office restoredBody `json:"office"`
}

type previewBody struct {
	Changes []office.Change `json:"changes"`
	Effects []Effect        `json:"effects"`
}

type previewAnswer struct {
	Preview previewBody `json:"preview"`
}

type versionBody struct {
	Version      int64       `json:"version"`
	At           wire.Time   `json:"at"`
	By           *authorBody `json:"by"`
	Sections     []string    `json:"sections"`
	Source       string      `json:"source"`
	RestoredFrom *int64      `json:"restoredFrom"`
}

func versionOf(v Version) versionBody {
	return versionBody{v.Number, wire.Time(v.At), v.By.bodyOf(), v.Sections, v.Source, v.RestoredFrom}
}

type describedBody struct {
	versionBody
	Changes []office.Change `json:"changes"`
}

type versionAnswer struct {
	Version describedBody `json:"version"`
}

type pagination struct {
	Page  int `json:"page"`
	Limit int `json:"limit"`
	Total int `json:"total"`
	Pages int `json:"pages"`
}

type versionsAnswer struct {
	Versions   []versionBody `json:"versions"`
	Pagination pagination    `json:"pagination"`
}

func versionsOf(list []Version, total int, p page) versionsAnswer {
	answer := versionsAnswer{
		make([]versionBody, len(list)), pagination{p.Page, p.Limit, total, (total + p.Limit - 1) / p.Limit},
	}
	for i, version := range list {
		answer.Versions[i] = versionOf(version)
	}
	return answer
}

type itemBody struct {
	Key  string      `json:"key"`
	Done bool        `json:"done"`
	At   *wire.Time  `json:"at"`
	By   *authorBody `json:"by"`
}

type setupBody struct {
	Dismissed bool       `json:"dismissed"`
	Items     []itemBody `json:"items"`
}

type setupAnswer struct {
	Setup setupBody `json:"setup"`
}

func setupOf(setup Setup) setupAnswer {
	body := setupBody{setup.Dismissed, make([]itemBody, len(setup.Items))}
	for i, one := range setup.Items {
		var at *time.Time
		if !one.At.IsZero() {
			at = &one.At
		}
		body.Items[i] = itemBody{one.Key, one.Done, wire.TimeOf(at), one.By.bodyOf()}
	}
	return setupAnswer{body}
}

// exportAnswer is the whole document for the operator.
type exportAnswer struct {
	Version  int64           `json:"version"`
	Mode     string          `json:"mode"`
	Document office.Document `json:"document"`
}

// importAnswer has the changes of an import, or what is wrong with its document. Version is 0 for a preview.
type importAnswer struct {
	Version  int64           `json:"version"`
	Problems []string        `json:"problems"`
	Changes  []office.Change `json:"changes"`
	Effects  []Effect        `json:"effects"`
}
