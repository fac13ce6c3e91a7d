package visit

import (
	"errors"
	"slices"
	"time"
)

// DocumentState is where a paper of a visit is.
type DocumentState string

// The states.
const (
	DocumentMissing  DocumentState = "missing"  // the visitor does not have it along
	DocumentBrought  DocumentState = "brought"  // the visitor has it along
	DocumentLeft     DocumentState = "left"     // the office has it
	DocumentReturned DocumentState = "returned" // the office had it, and the visitor has it again
)

// The forms of a paper.
const (
	Original = "original"
	Copy     = "copy"
)

// MostDocuments is the largest number of papers of a visit.
const MostDocuments = 40

// Document is a paper of a visit.
type Document struct {
	No       int    // 1, 2, … of the visit; 0: not stored yet
	Key      string // of the service's checklist; "": not from it
	Label    string
	Required bool
	State    DocumentState
	Form     string // Original or Copy; "": not said
	Pages    *int   // nil: not counted
	// Acknowledgement is the number of the receipt for the paper, "" while there is none.
	Acknowledgement string
	Note            string    `json:",omitzero"` // the office's
	By              string    `json:",omitzero"` // the name of the user who changed it last
	At              time.Time `json:",omitzero"` // of that change; zero: before this was stored
}

// Valid reports whether the state and the form exist.
func (d Document) Valid() bool {
	states := []DocumentState{DocumentMissing, DocumentBrought, DocumentLeft, DocumentReturned}
	return slices.Contains(states, d.State) && slices.Contains([]string{"", Original, Copy}, d.Form)
}

// Errors of ChangeDocuments.
var (
	ErrDocumentUnknown = errors.New("the visit does not have this paper")
	ErrNeverLeft       = errors.New("the paper was not left at the office")
	ErrAcknowledged    = errors.New("the visitor has a receipt for the paper")
)

// HandlesDocuments returns an error unless the actor may read and change the papers of the visit: the desk may, at any
// stage and on later days too, and so may the assigned consultant.
func (v Visit) HandlesDocuments(by Actor) error {
	i := slices.IndexFunc(everyone, func(g Grant) bool { return g.Role == by.Role })
	if i < 0 {
		return ErrForbidden
	}
	return v.owned(by, everyone[i].Of, Facts{})
}

// ChangeDocuments returns the papers of a visit after a request that gives all of them. Those without a number get the
// next ones. A paper that is not given is removed. One for which the visitor has a receipt is neither removed nor
// changed, but returned; when it is left again, it needs another receipt. A paper that has changed is by the user at
// the time. Acknowledgement, By and At are not read from the request.
func ChangeDocuments(before, given []Document, by string, at time.Time) ([]Document, error) {
	byNo := map[int]Document{}
	last := 0
	for _, d := range before {
		byNo[d.No] = d
		last = max(last, d.No)
	}
	after := make([]Document, len(given))
	for i, d := range given {
		was, known := byNo[d.No]
		switch {
		case d.No == 0:
			last++
			d.No = last
		case !known:
			return nil, ErrDocumentUnknown
		}
		delete(byNo, d.No)
		d.Acknowledgement = was.Acknowledgement
		if err := was.become(&d); err != nil {
			return nil, err
		}
		d.By, d.At = by, at
		if d.same(was) {
			d = was
		}
		after[i] = d
	}
	for _, d := range byNo {
		if d.Acknowledgement != "" {
			return nil, ErrAcknowledged
		}
	}
	return after, nil
}

// become checks the change of a paper, the zero paper for a new one, and completes its state after the change.
func (d Document) become(after *Document) error {
	wasLeft := d.State == DocumentLeft || d.State == DocumentReturned
	if after.State == DocumentReturned && !wasLeft {
		return ErrNeverLeft
	}
	if after.State == DocumentMissing {
		after.Form, after.Pages = "", nil
	}
	if d.Acknowledgement == "" {
		return nil
	}
	allowed := d
	allowed.State, allowed.Note = after.State, after.Note
	kept := after.State == DocumentLeft || after.State == DocumentReturned
	if !kept || !allowed.same(*after) {
		return ErrAcknowledged
	}
	if d.State == DocumentReturned && after.State == DocumentLeft {
		after.Acknowledgement = ""
	}
	return nil
}

// Acknowledge returns the papers with the number of a receipt at those which were left without one, and how many these
// are.
func Acknowledge(all []Document, number string) (after []Document, newly int) {
	after = slices.Clone(all)
	for i, d := range after {
		if d.State == DocumentLeft && d.Acknowledgement == "" {
			after[i].Acknowledgement = number
			newly++
		}
	}
	return after, newly
}

// Acknowledged returns the papers of a receipt.
func Acknowledged(all []Document, number string) []Document {
	return slices.DeleteFunc(slices.Clone(all), func(d Document) bool { return d.Acknowledgement != number })
}

// MissingDocuments returns the required papers that the visitor does not have along.
func MissingDocuments(all []Document) []Document {
	missing := []Document{}
	for _, d := range all {
		if d.Required && d.State == DocumentMissing {
			missing = append(missing, d)
		}
	}
	return missing
}

// LeftDocuments returns the papers that the office has.
func LeftDocuments(all []Document) []Document {
	left := []Document{}
	for _, d := range all {
		if d.State == DocumentLeft {
			left = append(left, d)
		}
	}
	return left
}

// SameDocuments reports whether two lists are equal but for the last changes of the papers.
func SameDocuments(a, b []Document) bool { return slices.EqualFunc(a, b, Document.same) }

// same reports whether two papers are equal but for their last change.
func (d Document) same(other Document) bool {
	samePages := d.Pages == other.Pages || d.Pages != nil && other.Pages != nil && *d.Pages == *other.Pages
	other.Pages, other.By, other.At = d.Pages, d.By, d.At
	return samePages && d == other
}
