package operate

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/operate/advice"
)

// Admin is an administrator to create.
type Admin struct {
	Email    string `json:"email"`
	Name     string `json:"name"`
	Password string `json:"password"`
}

// CreateAdmin creates an active administrator and returns the user id. It returns Advice if auth rejects the account.
func (i Installation) CreateAdmin(ctx context.Context, admin Admin) (id string, err error) {
	var answer struct{ ID string }
	err = i.Call(ctx, contract.SourceAuth, "/internal/admins", admin, &answer)
	var rejected *Rejected
	if errors.As(err, &rejected) && rejected.Status/100 == 4 {
		return "", advice.Errorf("The administrator was not created: %s.", trimPeriod(rejected.Message))
	}
	return answer.ID, err
}

// Person selects whose sessions end: exactly one of the fields is set.
type Person struct {
	ID       string `json:"userId,omitempty"`
	Email    string `json:"email,omitempty"`
	Everyone bool   `json:"everyone,omitempty"`
}

// EndSessions ends all sessions of a person, or of everyone, and returns how many ended. It returns Advice if there is
// no such person.
func (i Installation) EndSessions(ctx context.Context, of Person) (ended int, err error) {
	var answer struct{ Ended int }
	err = i.Call(ctx, contract.SourceAuth, "/internal/sessions/end", of, &answer)
	var rejected *Rejected
	if errors.As(err, &rejected) && rejected.Status == http.StatusNotFound {
		return 0, advice.Errorf("There is no account %s: check the address in Admin, Users.", of.Email+of.ID)
	}
	if err != nil {
		return 0, fmt.Errorf("end sessions: %w", err)
	}
	return answer.Ended, nil
}

// trimPeriod removes the period at the end of a sentence that becomes part of another.
func trimPeriod(sentence string) string {
	for len(sentence) > 0 && sentence[len(sentence)-1] == '.' {
		sentence = sentence[:len(sentence)-1]
	}
	return sentence
}
