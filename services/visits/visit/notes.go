package visit

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// LongestNotes is the largest number of characters in ReceptionNotes, in PANotes, and in SessionNotes.
const LongestNotes = 2000

// NotesLongError is returned for notes that do not fit after the existing notes. Left is how many characters fit.
type NotesLongError struct {
	Action Action
	Left   int
}

// Error implements error.
func (e *NotesLongError) Error() string {
	return fmt.Sprintf("the notes have room for %d characters", e.Left)
}

// noted adds the notes of a request to those that notesOf returns.
func (v Visit) noted(by Actor, want Request, facts Facts) Visit {
	field := v.notesOf(by, want.Action)
	*field = withNotes(*field, want.Notes, by, facts)
	return v
}

// addsNotes reports whether the notes of a request are added to notes of the visit.
func (r Request) addsNotes() bool {
	switch r.Action {
	case Approve, Deny, Start, Complete, Transfer, Reopen:
		return true
	}
	return false
}

// notesOf returns the notes to which an action adds. A decision adds to the PA's notes, the start and the completion of
// a session to the session's notes. For other actions the actor's role decides; an admin adds to the PA's notes.
func (v *Visit) notesOf(by Actor, action Action) *string {
	switch {
	case action == Approve || action == Deny:
		return &v.PANotes
	case action == Start || action == Complete || by.Role == consultant:
		return &v.SessionNotes
	case by.Role == reception:
		return &v.ReceptionNotes
	}
	return &v.PANotes
}

// withNotes returns notes with an actor's addition. An addition to existing notes begins with the day, the time and the
// actor's name.
func withNotes(notes, added string, by Actor, facts Facts) string {
	if notes == "" || added == "" {
		return notes + added
	}
	return notes + "\n[" + facts.Local + ", " + by.Name + "] " + added
}

// fits returns an error if the notes of a request do not fit after the existing notes. The texts of a correction and of
// a hold are not added to other notes, so they always fit.
func (v Visit) fits(by Actor, want Request, facts Facts) error {
	if !want.addsNotes() {
		return nil
	}
	long := utf8.RuneCountInString(withNotes(*v.notesOf(by, want.Action), want.Notes, by, facts)) - LongestNotes
	if want.Notes == "" || long <= 0 {
		return nil
	}
	return &NotesLongError{want.Action, max(0, utf8.RuneCountInString(want.Notes)-long)}
}

// Typed compares notes before and after an addition. It returns the added text without its time and author.
func Typed(notes, whole string) string {
	added := strings.TrimPrefix(whole, notes)
	if notes == "" || added == "" {
		return added
	}
	_, typed, _ := strings.Cut(added, "] ")
	return typed
}
