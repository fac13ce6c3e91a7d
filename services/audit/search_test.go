package audit

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"unicode/utf8"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func TestSearchIsATokenOrWordsOfAName(t *testing.T) {
	for text, want := range map[string]search{
		"T-024": {token: "T-024"}, "t-024": {token: "T-024"}, "T24": {token: "T-024"}, "24": {token: "T-024"},
		"T 024": {token: "T-024"}, "024": {token: "T-024"}, "T-1000": {token: "T-1000"}, "a7": {token: "A-007"},
		"\u0968\u096a": {token: "T-024"},
		"Rao":          {words: "'Rao':*"}, " Gopal  Rao ": {words: "'Gopal':* & 'Rao':*"},
		"K.R. Rao": {words: "'K':* & 'R':* & 'Rao':*"},
		"T-":       {words: "'T':*"}, "0": {words: "'0':*"}, "Z-024": {words: "'Z':* & '024':*"},
		"O'Brien \\ & | !": {words: "'O':* & 'Brien':*"}, "-": {}, "": {},
		"\u0917\u094b\u092a\u093e\u0932": {words: "'\u0917\u094b\u092a\u093e\u0932':*"},
	} {
		if got := searchOf(text); got != want {
			t.Errorf("%q is read as %+v, want %+v", text, got, want)
		}
	}
}

// A search by a token finds all records of the visits with that token, on every day. A search by words finds all
// records of a visit if each of the words begins a word of the visitor's name.
func TestTrailIsSearchedByTokenAndName(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	day := newDay(t, 1)
	named := map[string]string{} // ids of visits, keyed by the visitor's name
	const hindi = "\u0917\u094b\u092a\u093e\u0932 \u0930\u093e\u0935"
	for _, name := range []string{"Gopal Rao", "Gopika Menon", "Raoul Gopalan", hindi, "Maria D'Souza",
		"K.R.Nair", "S.Kumar", "Ravi S/o Madhavan", "Anne-Marie Vaz"} {
		arrival := day.Arrive()
		v := arrival.After.(contract.Visit)
		v.Name, v.TokenAlso = name, fmt.Sprintf("A-%03d", v.TokenNo)
		arrival.After = v
		named[name] = v.ID
		visits.Publish(t, arrival)
	}
	yesterday := newDay(t, 2)
	yesterday.Clock = yesterday.Clock.AddDate(0, 0, -1)
	older := yesterday.Arrive()
	visits.Publish(t, older)
	olderVisit := older.After.(contract.Visit)
	named[olderVisit.Name] = olderVisit.ID
	o.caughtUp(t, visits)
	gopal, gopika, raoul := named["Gopal Rao"], named["Gopika Menon"], named["Raoul Gopalan"]
	maria := named["Maria D'Souza"]
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"?q=T-001", []string{olderVisit.ID, gopal}}, {"?q=1", []string{olderVisit.ID, gopal}}, {"?q=T2", []string{gopika}},
		{"?q=A-002", []string{gopika}}, {"?q=T-099", nil},
		{"?q=gop", []string{raoul, gopika, gopal}}, {"?q=gopal", []string{raoul, gopal}},
		{"?q=rao+gopal", []string{raoul, gopal}}, {"?q=gopal+rao", []string{raoul, gopal}}, {"?q=opal", nil},
		{"?q=menon+gop", []string{gopika}}, {"?q=Gopal,", []string{raoul, gopal}},
		{"?q=souza", []string{maria}},
		{"?q=nair", []string{named["K.R.Nair"]}}, {"?q=K.R.Nair", []string{named["K.R.Nair"]}},
		{"?q=kum", []string{named["S.Kumar"]}}, {"?q=s.kumar", []string{named["S.Kumar"]}},
		{"?q=madhavan", []string{named["Ravi S/o Madhavan"]}}, {"?q=marie", []string{named["Anne-Marie Vaz"]}},
		{"?q=d'souza", []string{maria}}, {"?q=-", nil},
		{"?q=" + url.QueryEscape("\u0917\u094b\u092a"), []string{named[hindi]}},
		{"?q=gopal&entity=visit", []string{raoul, gopal}}, {"?q=gopal&entity=session", nil},
		{"?q=gopal&entity_id=" + gopal, []string{gopal}}, {"?q=gopal&entity_id=" + gopika, nil},
		{"?q=1&end_date=2000-01-01", nil},
	} {
		page := o.read(t, c.query)
		var found []string
		for _, r := range page.Records {
			found = append(found, r.EntityID)
		}
		slices.Sort(found)
		slices.Sort(c.want)
		if !slices.Equal(found, c.want) || page.Pagination.Total != len(c.want) {
			t.Errorf("%s finds %v of %d, want %v", c.query, found, page.Pagination.Total, c.want)
		}
	}
}

// A search with an end date finds the visits until that day, however many later visits match.
func TestASearchOfEarlierDaysIsNotHiddenByLaterOnes(t *testing.T) {
	o := newOffice(t)
	visits := o.source(t, contract.SourceVisits)
	o.follow(t, visits)
	arrival := newDay(t, 1).Arrive()
	v := arrival.After.(contract.Visit)
	v.Name = "Asha Rao"
	arrival.After = v
	visits.Publish(t, arrival)
	o.caughtUp(t, visits)
	owner := o.db.Owner(t)
	testkit.Exec(t, owner, `UPDATE audit_records SET created_at = $1`, noon)
	testkit.Exec(t, owner, insertVisits, counted)
	testkit.Exec(t, owner, `UPDATE visits SET day = day + 1, token = $1 WHERE name = 'Asha'`, v.Token)
	for _, query := range []string{"?q=asha", "?q=" + v.Token} {
		if got := o.read(t, query+"&end_date=2026-11-20").Pagination.Total; got != 1 {
			t.Errorf("%s finds %d records until the day of the visit", query, got)
		}
	}
}

// The record of a search has only the first two characters of the text, because the searched name must not be stored.
func TestRecordOfASearchHasItsBeginning(t *testing.T) {
	o := newOffice(t)
	own := o.own(t)
	o.follow(t, own)
	o.read(t, "?q=Gopal+Rao")
	o.read(t, "?q="+url.QueryEscape("\u0917\u094b\u092a\u093e\u0932"))
	o.caughtUp(t, own)
	records := o.read(t, "?entity=audit").Records
	if len(records) != 2 {
		t.Fatalf("%d records", len(records))
	}
	for i, want := range []string{"\u0917\u094b", "Go"} {
		got := decode[readPayload](t, records[i].NewValues).Filters.Query
		if got != want || utf8.RuneCountInString(got) != 2 {
			t.Errorf("the record has %q, want %q", got, want)
		}
	}
	if found := o.db.Find(t, "Gopal", "Rao"); len(found) > 0 {
		t.Errorf("the searched name is in %v", found)
	}
}

// A search for a visit also finds the records of messages to its visitor and of accesses to its link.
func TestMessagesAndLinksOfAVisitAreFound(t *testing.T) {
	o := newOffice(t)
	visits, lobby := o.source(t, contract.SourceVisits), o.source(t, contract.SourceLobby)
	o.follow(t, visits)
	o.follow(t, lobby)
	day := newDay(t, 1)
	arrival := day.Arrive()
	visits.Publish(t, arrival)
	o.caughtUp(t, visits)
	id := arrival.EntityID
	lobby.Publish(t, outbox.Change{
		Type: contract.MessageSent, Entity: contract.EntityMessage, EntityID: id,
		After: contract.Message{VisitID: id, Token: "T-001", Channel: "sms", Kind: "called"},
	}, outbox.Change{
		Type: contract.LinkShown, Entity: contract.EntityLink, EntityID: id,
		After: contract.Link{VisitID: id, Token: "T-001"},
	})
	o.caughtUp(t, lobby)
	for query, want := range map[string]int{"?q=T-001": 3, "?q=1&entity=message": 1, "?q=1&entity=link": 1} {
		records := o.read(t, query).Records
		if len(records) != want {
			t.Errorf("%s finds %d records, want %d", query, len(records), want)
		}
		for _, r := range records {
			if r.Visit == nil || r.Visit.Token != "T-001" {
				t.Errorf("%s: the record of a %s has the visit %+v", query, r.Entity, r.Visit)
			}
		}
	}
}
