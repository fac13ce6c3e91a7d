package visit

import (
	"errors"
	"slices"
	"time"
)

// DocumentState is the state of a paper of a visit.
type DocumentState string

// The states.
const (
	DocumentMissing  DocumentState = "missing"  // the visitor has not brought it
	DocumentBrought  DocumentState = "brought"  // the visitor has brought it and keeps it
	DocumentLeft     DocumentState = "left"     // the office has it
	DocumentReturned DocumentState = "returned" // the office had it and has returned it
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
	No       int    // number in the visit from 1; 0: not stored yet
	Key      string // key in the service's checklist; "": not from it
	Label    string
	Required bool
	State    DocumentState
	Form     string // Original or Copy; "": not said
	Pages    *int   // nil: not counted
	// Acknowledgement is the number of the receipt for the paper, "" if there is none.
	Acknowledgement string
	Note            string    `json:",omitzero"` // written by the office
	By              string    `json:",omitzero"` // name of the user who changed it last
	At              time.Time `json:",omitzero"` // time of the last change; zero: an earlier release did not store it
}

// Valid reports whether the state and the form are known values.
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

// HandlesDocuments returns an error unless the actor may read and change the papers of the visit. Reception, PAs and
// admins may, at any stage and on later days, and so may the assigned consultant.
func (v Visit) HandlesDocuments(by Actor) error {
	i := slices.IndexFunc(everyone, func(g Grant) bool { return g.Role == by.Role })
	if i < 0 {
		return ErrForbidden
	}
	return v.owned(by, everyone[i].Of, Facts{})
}

// ChangeDocuments returns the papers of a visit after a request with all of them. Papers without a number get the next
// numbers. A paper that is not in the request is removed. A paper with a receipt cannot change, except that it can be
// returned and get a note; if it is left again, it needs another receipt. A changed paper gets the user and the time of
// the change. Acknowledgement, By and At are not read from the request.
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

// become returns an error if the paper d cannot be changed to *after; d is the zero value for a new paper. It clears
// the form and the pages of a missing paper, and the receipt of a returned paper that is left again.
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

// Acknowledge sets the number of a receipt on the papers that were left without one. It returns all papers, and how
// many it has changed.
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

// MissingDocuments returns the required papers that the visitor has not brought.
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

// SameDocuments reports whether two lists are equal. By and At are not compared.
func SameDocuments(a, b []Document) bool { return slices.EqualFunc(a, b, Document.same) }

func (d Document) same(other Document) bool {
	samePages := d.Pages == other.Pages || d.Pages != nil && other.Pages != nil && *d.Pages == *other.Pages
	other.Pages, other.By, other.At = d.Pages, d.By, d.At
	return samePages && d == other
}
