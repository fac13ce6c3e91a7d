package visits_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/platform/testkit"
)

// Without DEMO the import is not available, even for a call with a service token.
func TestTheImportExistsOnlyInDemonstrations(t *testing.T) {
	d := newDesk(t)
	token, err := testkit.Keys(contract.CallerOperator).Token("visits")
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/internal/import", strings.NewReader(`{"visits":[]}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	d.internal(t).ServeHTTP(w, r)
	// ASVS 13.4.2, 15.2.3
	if w.Code != http.StatusNotFound {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
}
