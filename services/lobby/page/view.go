package page

import (
	"embed"
	"encoding/json"
	"path"
	"strconv"
	"strings"
	"time"
)

//go:embed texts/*.json
var files embed.FS

// texts are the texts of the page by language and key.
var texts = func() map[string]map[string]string {
	all := map[string]map[string]string{}
	entries, err := files.ReadDir("texts")
	if err != nil {
		panic(err) // impossible: the folder is embedded
	}
	for _, entry := range entries {
		data, err := files.ReadFile("texts/" + entry.Name())
		if err != nil {
			panic(err)
		}
		words := map[string]string{}
		if err := json.Unmarshal(data, &words); err != nil {
			panic(err) // impossible: page_test.go uses every file
		}
		all[strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))] = words
	}
	return all
}()

// English is used if a page has no texts in the office's languages, or a notice has none in the visitor's languages.
const English = "en"

// Has reports whether the page has texts in a language.
func Has(language string) bool { return texts[language] != nil }

// View has the values of the page. Its methods return the page's texts.
type View struct {
	Code     string
	Language string
	Offered  []string // languages of the office
	Office   string   // its name
	Phone    string
	Zone     *time.Location
	Facts    Facts
	At       time.Time
}

// Summary is the part of a View that changes while a visitor waits, as the script of the page reads it. Page is the
// result of Tag. If it changes, the script replaces the page.
type Summary struct {
	Page    string  `json:"page,omitempty"`
	State   State   `json:"state"`
	Ahead   *int    `json:"ahead"`
	Range   *string `json:"range"`
	Now     string  `json:"now"`
	Checked string  `json:"checked,omitempty"`
	Next    int     `json:"next"`
	Called  *string `json:"called"`
}

// Summary returns the summary without Page. Comparisons with an earlier summary ignore Checked.
func (v View) Summary() Summary {
	state := v.State()
	s := Summary{
		State: state, Now: v.Now(), Checked: v.clock(v.At), Next: v.Facts.next(state),
	}
	if state == Waiting || state == Near {
		s.Ahead = v.Facts.Ahead
		if text := v.Range(); text != "" {
			s.Range = &text
		}
	}
	if state == Called {
		text := v.Facts.Counter
		if v.Facts.CalledAt != nil {
			text += v.Facts.CalledAt.Format(" 150405")
		}
		s.Called = &text
	}
	return s
}

// State returns the state of the visit.
func (v View) State() State { return v.Facts.StateOf(v.At) }

// T returns the text of a key. Places {name} in the text are replaced by the values that follow the key in pairs.
func (v View) T(key string, pairs ...string) string { return text(v.Language, key, pairs...) }

func text(language, key string, pairs ...string) string {
	words, ok := texts[language][key]
	if !ok {
		words = texts[English][key]
	}
	if len(pairs) == 0 {
		return words
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return strings.NewReplacer(pairs...).Replace(words)
}

// Word returns the sentence about the state of the visit.
func (v View) Word() string {
	f := v.Facts
	switch state := v.State(); state {
	case Called:
		if f.Counter == "" {
			return v.T("calledDesk")
		}
		return v.T("called", "counter", f.Counter)
	case Missed:
		if f.CalledAt != nil {
			return v.T("missed", "time", v.clock(*f.CalledAt))
		}
		return v.T("missedOnce")
	case Held:
		return v.T("held", "reason", v.T("reason_"+f.HeldReason))
	default:
		return v.T(string(state))
	}
}

// Ahead returns the sentence with the number of people before the visitor, "" if it is unknown.
func (v View) Ahead() string {
	state := v.State()
	if v.Facts.Ahead == nil || state != Waiting && state != Near {
		return ""
	}
	switch n := *v.Facts.Ahead; n {
	case 0:
		return v.T("ahead0")
	case 1:
		return v.T("ahead1")
	default:
		return v.T("aheadN", "n", strconv.Itoa(n))
	}
}

// Range returns the range of times in which the visitor's call is expected, never a single time; "" if it is unknown.
func (v View) Range() string {
	f := v.Facts
	if f.From == nil || f.To == nil {
		return ""
	}
	words := v.clock(*f.From) + " - " + v.clock(*f.To)
	if f.Early {
		words += " (" + v.T("early") + ")"
	}
	return words
}

// Now lists the last calls with their counters.
func (v View) Now() string {
	calls := make([]string, len(v.Facts.Now))
	for i, c := range v.Facts.Now {
		calls[i] = c.Token
		if c.Counter != "" {
			calls[i] += " → " + c.Counter
		}
	}
	return strings.Join(calls, ", ")
}

// HeldUntil returns the sentence with the time at which a hold ends by itself, "" without a time.
func (v View) HeldUntil() string {
	if v.State() != Held || v.Facts.HeldUntil == nil {
		return ""
	}
	return v.T("heldUntil", "time", v.clock(*v.Facts.HeldUntil))
}

// Checked returns the time at which the page was made, as hours and minutes.
func (v View) Checked() string { return v.clock(v.At) }

// Next returns the seconds after which the page requests its state again.
func (v View) Next() int { return v.Facts.next(v.State()) }

func (v View) clock(t time.Time) string { return t.In(v.Zone).Format("15:04") }
