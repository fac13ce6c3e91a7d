package directory

import (
	"net/http"
	"strings"
	"testing"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/testkit"
)

// I14: only the first anchor for a record number is kept, so that a rebuilt trail does not match it.
func TestFirstAnchorOfANumberIsKept(t *testing.T) {
	f := newFront(t)
	url := f.internal(t)
	audit := identity.NewClient(url, testkit.Keys(contract.SourceAudit), contract.SourceDirectory)
	operator := identity.NewClient(url, testkit.Keys(contract.CallerOperator), contract.SourceDirectory)
	store := func(n int64, digest string) (status int) {
		t.Helper()
		status, err := audit.Call(t.Context(), http.MethodPost, "/internal/audit-anchors",
			contract.AuditAnchor{N: n, Digest: digest}, &struct{}{})
		if err != nil {
			t.Fatal(err)
		}
		return status
	}
	first, second := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	for _, digest := range []string{first, second} {
		if got := store(60, digest); got != http.StatusOK {
			t.Errorf("answered %d", got)
		}
	}
	var kept string
	if err := f.db.Pool.QueryRow(t.Context(),
		`SELECT encode(digest, 'hex') FROM audit_anchors WHERE n = 60`).Scan(&kept); err != nil || kept != first {
		t.Errorf("kept %q, %v", kept, err)
	}
	store(61, second)
	var page anchorsAnswer
	status, err := operator.Call(t.Context(), http.MethodGet, "/internal/audit-anchors?after=60", nil, &page)
	if want := (contract.AuditAnchor{N: 61, Digest: second}); err != nil || status != http.StatusOK ||
		len(page.Anchors) != 1 || page.Anchors[0] != want {
		t.Errorf("the anchors after 60 are %+v, %d, %v", page, status, err)
	}
	const wrong = "/internal/audit-anchors?after=x"
	if status, err := operator.Call(t.Context(), http.MethodGet, wrong, nil, &page); err != nil ||
		status != http.StatusBadRequest {
		t.Errorf("after no number answered %d, %v", status, err)
	}
	for n, digest := range map[int64]string{0: first, 63: "ab", 62: strings.Repeat("x", 64)} {
		if got := store(n, digest); got != http.StatusBadRequest {
			t.Errorf("%d %q answered %d", n, digest, got)
		}
	}
	for _, statement := range []string{`UPDATE audit_anchors SET n = 1`, `DELETE FROM audit_anchors`} {
		if _, err := f.db.Pool.Exec(t.Context(), statement); err == nil {
			t.Errorf("the service's role can %s", statement)
		}
	}
}
