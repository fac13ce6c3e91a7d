package visit

import (
	"errors"
	"testing"
	"time"
)

// A request replaces the list of a visit's papers. Each case has the resulting papers with their numbers, or the error.
func TestChangeDocuments(t *testing.T) {
	pages := 3
	brought := Document{No: 1, Label: "PAN", Required: true, State: DocumentBrought, Form: Copy, Pages: &pages}
	in := func(d Document, no int, state DocumentState) Document {
		d.No, d.State = no, state
		return d
	}
	receipted := func(state DocumentState) Document {
		d := in(brought, 1, state)
		d.Acknowledgement = "ACK-2026-000001"
		return d
	}
	without := in(brought, 1, DocumentMissing)
	without.Form, without.Pages = "", nil
	for _, c := range []struct {
		what                string
		before, given, want []Document
		err                 error
	}{
		{"the first papers", nil, []Document{in(brought, 0, DocumentBrought), in(brought, 0, DocumentLeft)},
			[]Document{brought, in(brought, 2, DocumentLeft)}, nil},
		{"a missing paper has no form", []Document{brought}, []Document{in(brought, 1, DocumentMissing)},
			[]Document{without}, nil},
		{"a paper more", []Document{brought}, []Document{brought, in(brought, 0, DocumentLeft)},
			[]Document{brought, in(brought, 2, DocumentLeft)}, nil},
		{"a removed paper", []Document{brought, in(brought, 2, DocumentLeft)}, []Document{in(brought, 2, DocumentLeft)},
			[]Document{in(brought, 2, DocumentLeft)}, nil},
		{"a return", []Document{in(brought, 1, DocumentLeft)}, []Document{in(brought, 1, DocumentReturned)},
			[]Document{in(brought, 1, DocumentReturned)}, nil},
		{"a return of what was never left", []Document{brought}, []Document{in(brought, 1, DocumentReturned)},
			nil, ErrNeverLeft},
		{"a new paper that is returned", nil, []Document{in(brought, 0, DocumentReturned)}, nil, ErrNeverLeft},
		{"a paper with a receipt is returned", []Document{receipted(DocumentLeft)},
			[]Document{in(brought, 1, DocumentReturned)}, []Document{receipted(DocumentReturned)}, nil},
		{"a returned paper is left again, without a receipt", []Document{receipted(DocumentReturned)},
			[]Document{in(brought, 1, DocumentLeft)}, []Document{in(brought, 1, DocumentLeft)}, nil},
		{"a paper with a receipt stays", []Document{receipted(DocumentLeft)}, []Document{in(brought, 1, DocumentLeft)},
			[]Document{receipted(DocumentLeft)}, nil},
		{"a paper with a receipt is removed", []Document{receipted(DocumentLeft)}, nil, nil, ErrAcknowledged},
		{"a paper with a receipt is taken back", []Document{receipted(DocumentLeft)}, []Document{brought},
			nil, ErrAcknowledged},
		{"a paper with a receipt is renamed", []Document{receipted(DocumentLeft)},
			[]Document{{No: 1, Label: "Form 16", State: DocumentLeft}}, nil, ErrAcknowledged},
		{"a receipt that the request gives", nil, []Document{{Label: "PAN", State: DocumentLeft, Acknowledgement: "A"}},
			[]Document{{No: 1, Label: "PAN", State: DocumentLeft}}, nil},
		{"an unknown paper", []Document{brought}, []Document{in(brought, 2, DocumentLeft)}, nil, ErrDocumentUnknown},
		{"a paper twice", []Document{brought}, []Document{brought, brought}, nil, ErrDocumentUnknown},
	} {
		got, err := ChangeDocuments(c.before, c.given, "Divya", time.Now())
		if !errors.Is(err, c.err) || err == nil && !SameDocuments(got, c.want) {
			t.Errorf("%s: %+v, %v", c.what, got, err)
		}
	}
}

// A paper has the user and the time of its last change. A note can be written on a paper with a receipt.
func TestAPaperHasItsLastChange(t *testing.T) {
	first, later := time.Unix(1, 0), time.Unix(2, 0)
	before, err := ChangeDocuments(nil, []Document{
		{Label: "PAN", State: DocumentLeft}, {Label: "Form 16", State: DocumentLeft},
	}, "Divya", first)
	if err != nil {
		t.Fatal(err)
	}
	before, _ = Acknowledge(before, "ACK-2026-000001")
	after, err := ChangeDocuments(before, []Document{
		{No: 1, Label: "PAN", State: DocumentLeft}, {No: 2, Label: "Form 16", State: DocumentLeft, Note: "torn"},
	}, "Asha", later)
	if err != nil || after[0].By != "Divya" || !after[0].At.Equal(first) || after[1].By != "Asha" ||
		!after[1].At.Equal(later) || after[1].Note != "torn" || after[1].Acknowledgement == "" {
		t.Errorf("after %+v, %v", after, err)
	}
}

func TestAcknowledge(t *testing.T) {
	all := []Document{
		{No: 1, State: DocumentLeft}, {No: 2, State: DocumentBrought}, {No: 3, State: DocumentReturned},
		{No: 4, State: DocumentLeft, Acknowledgement: "before"},
	}
	after, newly := Acknowledge(all, "now")
	if newly != 1 || after[0].Acknowledgement != "now" || after[3].Acknowledgement != "before" || after[1] != all[1] ||
		after[2] != all[2] || all[0].Acknowledgement != "" {
		t.Errorf("after %+v, newly %d", after, newly)
	}
	if of := Acknowledged(after, "now"); len(of) != 1 || of[0].No != 1 {
		t.Errorf("the receipt has %+v", of)
	}
}

func TestSameDocuments(t *testing.T) {
	three, alsoThree, four := 3, 3, 4
	a := []Document{{No: 1, Label: "PAN", Pages: &three}}
	for _, c := range []struct {
		b    []Document
		same bool
	}{
		{[]Document{{No: 1, Label: "PAN", Pages: &alsoThree}}, true},
		{[]Document{{No: 1, Label: "PAN", Pages: &four}}, false},
		{[]Document{{No: 1, Label: "PAN"}}, false},
		{[]Document{{No: 1, Label: "Form 16", Pages: &three}}, false}, {nil, false},
	} {
		if SameDocuments(a, c.b) != c.same || SameDocuments(c.b, a) != c.same {
			t.Errorf("%+v is the same: %v", c.b, !c.same)
		}
	}
}

func TestMissingAndLeftDocuments(t *testing.T) {
	all := []Document{
		{No: 1, State: DocumentMissing}, {No: 2, State: DocumentMissing, Required: true},
		{No: 3, State: DocumentLeft, Required: true}, {No: 4, State: DocumentBrought, Required: true},
	}
	if missing := MissingDocuments(all); len(missing) != 1 || missing[0].No != 2 {
		t.Errorf("missing are %+v", missing)
	}
	if left := LeftDocuments(all); len(left) != 1 || left[0].No != 3 {
		t.Errorf("left are %+v", left)
	}
}

func TestValidDocuments(t *testing.T) {
	for d, valid := range map[Document]bool{
		{State: DocumentMissing}: true, {State: DocumentLeft, Form: Original}: true,
		{State: DocumentBrought, Form: Copy}: true,
		{State: DocumentReturned}:            true, {}: false, {State: "lost"}: false,
		{State: DocumentLeft, Form: "scan"}: false,
	} {
		if d.Valid() != valid {
			t.Errorf("%+v is valid: %v", d, !valid)
		}
	}
}

func TestHandlesDocuments(t *testing.T) {
	rao := "rao"
	for _, c := range []struct {
		by         Actor
		consultant *string
		err        error
	}{
		{Actor{ID: "a", Role: reception}, nil, nil}, {Actor{ID: "a", Role: pa}, &rao, nil},
		{Actor{ID: "a", Role: admin}, nil, nil}, {Actor{ID: rao, Role: consultant}, &rao, nil},
		{Actor{ID: "iyer", Role: consultant}, &rao, ErrNotAssigned}, {Actor{ID: rao, Role: consultant}, nil, ErrNotAssigned},
		{Actor{ID: "a", Role: System}, &rao, ErrForbidden},
	} {
		if err := (Visit{ConsultantID: c.consultant}).HandlesDocuments(c.by); !errors.Is(err, c.err) {
			t.Errorf("%+v: %v, want %v", c.by, err, c.err)
		}
	}
}
