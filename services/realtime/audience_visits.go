package realtime

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
)

// place is where a visit is, before or after a change. Stage is "" in events of an early release, which had no stages:
// its approved visits wait for one consultant alone.
type place struct {
	Stage        string  `json:"stage"`
	Pinned       bool    `json:"pinned"`
	ConsultantID *string `json:"consultantId"`
}

// inLine reports whether the visit waits for any consultant who serves it.
func (p place) inLine() bool { return p.Stage == contract.StageWaiting && !p.Pinned }

// shown reports whether boards show the visit: as waiting, called or in session.
func (p place) shown() bool {
	return p.Stage == contract.StageWaiting || p.Stage == contract.StageCalled || p.Stage == contract.StageInSession
}

// readVisit returns a reader of visit events. alert returns the content of the alert, or false if the visit lacks a
// field of the alert. If alert is nil, the event has no alert.
func readVisit(alert func(contract.Visit) (visitNews, bool)) func(outbox.Event) (payload, error) {
	return func(event outbox.Event) (payload, error) {
		visit, before, err := decodeVisit(event)
		if err != nil {
			return payload{}, err
		}
		after := place{visit.Stage, visit.Pinned, visit.ConsultantID}
		content := payload{
			update:      visitChanged{VisitID: visit.ID, Version: visit.Version, Token: visit.Token},
			consultants: concerned(before, after),
		}
		if before.inLine() || after.inLine() {
			content.line = visit.Day
		}
		if before.shown() || after.shown() {
			content.shown = visit.Day
		}
		if alert == nil {
			return content, nil
		}
		news, complete := alert(visit)
		if !complete {
			return payload{}, errIncomplete
		}
		content.alert = news
		return content, nil
	}
}

// readDocuments reads a change of a visit's papers. All consultants may see which papers visitors in the line lack.
func readDocuments(event outbox.Event) (payload, error) {
	var documents contract.VisitDocuments
	if err := json.Unmarshal(event.After, &documents); err != nil {
		return payload{}, err
	}
	if !idForm.MatchString(documents.VisitID) || event.Subject.ID != documents.VisitID {
		return payload{}, errIncomplete
	}
	now := place{documents.Stage, documents.Pinned, documents.ConsultantID}
	content := payload{
		update:      recordChanged{contract.EntityVisitDocuments, documents.VisitID},
		consultants: concerned(now),
	}
	if now.inLine() {
		content.line = documents.Day
	}
	return content, nil
}

// readCall reads a call. The call of a waiting visitor changes the line for all consultants, even if the visitor waited
// for one consultant, because the called visitor overtakes others. Other calls do not change the line.
func readCall(event outbox.Event) (payload, error) {
	content, err := readVisit(visitCalled)(event)
	if err != nil {
		return payload{}, err
	}
	visit, before, err := decodeVisit(event)
	if err != nil {
		return payload{}, err
	}
	content.caller = concerned(place{ConsultantID: visit.ConsultantID})
	if visit.CalledAt == nil {
		return payload{}, errIncomplete
	}
	at := time.Time(*visit.CalledAt)
	content.call = boardCall{
		CallID: fmt.Sprintf("%s:%d", visit.ID, at.UnixMilli()), VisitID: visit.ID, At: *visit.CalledAt,
		Token: visit.Token, TokenAlso: visit.TokenAlso, Counter: visit.Counter, CallCount: visit.CallCount,
		Language: visit.Language, Day: visit.Day,
	}
	if before.Stage == contract.StageWaiting {
		content.line = visit.Day
	}
	return content, nil
}

func decodeVisit(event outbox.Event) (visit contract.Visit, before place, err error) {
	if err := json.Unmarshal(event.After, &visit); err != nil {
		return visit, before, err
	}
	if !idForm.MatchString(visit.ID) || !tokenForm.MatchString(visit.Token) || visit.Version < 1 {
		return visit, before, errIncomplete
	}
	if len(event.Before) > 0 {
		err = json.Unmarshal(event.Before, &before)
	}
	return visit, before, err
}

// concerned returns the topics of the consultants of a visit at the given places, each topic once.
func concerned(places ...place) (topics []topic) {
	for _, p := range places {
		if p.ConsultantID != nil && !slices.Contains(topics, userTopic(*p.ConsultantID)) {
			topics = append(topics, userTopic(*p.ConsultantID))
		}
	}
	return topics
}

func newsOf(visit contract.Visit) visitNews {
	return visitNews{VisitID: visit.ID, Version: visit.Version, Token: visit.Token, Service: visit.ServiceName}
}

func visitNamed(visit contract.Visit) (visitNews, bool) {
	news := newsOf(visit)
	news.Name = &visit.Name
	return news, true
}

// visitApproved returns the alert without the visitor's name, because every consultant receives it. A visit that was
// approved for any consultant has no consultant yet.
func visitApproved(visit contract.Visit) (visitNews, bool) {
	if visit.Stage == contract.StageWaiting && !visit.Pinned && visit.ConsultantID == nil {
		news := newsOf(visit)
		news.Line = true
		return news, true
	}
	return visitAssigned(visit)
}

// visitCalled returns the alert without the visitor's name.
func visitCalled(visit contract.Visit) (visitNews, bool) {
	news, complete := visitAssigned(visit)
	news.Counter, news.CallCount = visit.Counter, visit.CallCount
	return news, complete && visit.CallCount >= 1
}

func visitAssigned(visit contract.Visit) (visitNews, bool) {
	news := newsOf(visit)
	news.Consultant = visit.ConsultantName
	return news, visit.ConsultantName != nil
}

func visitStarted(visit contract.Visit) (visitNews, bool) {
	news, complete := visitAssigned(visit)
	news.Name = &visit.Name
	return news, complete
}

func visitEnded(visit contract.Visit) (visitNews, bool) {
	news, complete := visitStarted(visit)
	news.Duration = visit.DurationMinutes
	return news, complete && visit.DurationMinutes != nil && *visit.DurationMinutes >= 1
}
