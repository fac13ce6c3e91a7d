package audit

import (
	"net/http"
	"strings"
	"testing"

	"baari.dev/services/audit/chain"
	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

func TestOperatorVerifiesTheTrail(t *testing.T) {
	o := newOffice(t)
	event := outbox.Event{
		ID: "0198f3a0-0000-7000-8000-000000000001", Source: contract.SourceAuth,
		Epoch: "0198f3a0-0000-7000-8000-0000000000e0", Seq: 1, Type: contract.AccessDenied, After: []byte(`{"count":1}`),
		Subject: outbox.Subject{Entity: contract.EntityAccess, ID: "GET /api/users"},
	}
	if err := o.Follow(contract.SourceAuth).Deliver(t.Context(), feed.Following(event)); err != nil {
		t.Fatal(err)
	}
	operator := identity.NewClient(o.internal(t), testkit.Keys(contract.CallerOperator), contract.SourceAudit)
	verify := func(anchors ...contract.AuditAnchor) (status int, answer verifiedAnswer) {
		t.Helper()
		body := map[string][]contract.AuditAnchor{"anchors": anchors}
		status, err := operator.Call(t.Context(), http.MethodPost, "/internal/audit/verify", body, &answer)
		if err != nil {
			t.Fatal(err)
		}
		return status, answer
	}
	_, whole := verify()
	if !whole.Whole || whole.Records != 1 || len(whole.Head) != 2*chain.Size {
		t.Errorf("got %+v", whole)
	}
	if _, again := verify(contract.AuditAnchor{N: 1, Digest: whole.Head}); again != whole {
		t.Errorf("with its own anchor: %+v", again)
	}
	other := strings.Repeat("ab", chain.Size)
	if _, broken := verify(contract.AuditAnchor{N: 1, Digest: other}); broken.Whole || broken.BrokenAt != 1 ||
		broken.Reason != "it is not the record that was anchored" {
		t.Errorf("with another anchor: %+v", broken)
	}
	if status, _ := verify(contract.AuditAnchor{N: 1, Digest: "ab"}); status != http.StatusBadRequest {
		t.Errorf("a short digest got %d", status)
	}
}
