package audit

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/audit/chain"
	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/testkit"
)

const commandKey = "a key of more than thirty-two characters"

func TestVerifyReportsTheResult(t *testing.T) {
	db := testkit.NewDatabase(t, Migrations()...)
	a := New(db.Pool, db.Pool, outbox.New(contract.SourceAudit, db.Pool),
		Options{Key: chain.Key(commandKey), Zone: "Asia/Kolkata"}, slog.New(slog.DiscardHandler))
	var events []outbox.Event
	for seq := int64(1); seq <= 3; seq++ {
		events = append(events, outbox.Event{ID: "0198f3a0-0000-7000-8000-00000000000" + string(rune('0'+seq)),
			Source: contract.SourceAuth, Epoch: "0198f3a0-0000-7000-8000-0000000000e0", Seq: seq,
			Type: contract.AccessDenied, Subject: outbox.Subject{Entity: contract.EntityAccess, ID: "GET /api/users"},
			After: []byte(`{"count":1}`)})
	}
	if err := a.Follow(contract.SourceAuth).Deliver(t.Context(), feed.Following(events...)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DATABASE_URL", db.URL)
	t.Setenv("AUDIT_KEY", commandKey)
	heads := ""
	check := func(code int, words string, args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if got := VerifyCommand(args, strings.NewReader(heads), &out, &errs); got != code ||
			!strings.Contains(out.String()+errs.String(), words) {
			t.Errorf("verify %v ended with %d: %s%s", args, got, out.String(), errs.String())
		}
	}
	check(exitWhole, "The audit trail is whole: 3 records, 0 of them erased, head ")
	check(exitBroken, "broken at record 3: it is not the record that was anchored", "-anchor",
		"3:"+strings.Repeat("ab", chain.Size))
	check(exitBroken, "broken at record 4: it is missing: the chain reached 9", "--anchor",
		"9:"+strings.Repeat("ab", chain.Size))
	heads = "9:" + strings.Repeat("ab", chain.Size) + "\n"
	check(exitBroken, "broken at record 4: it is missing: the chain reached 9", "-anchors")
	check(exitWhole, "is whole") // only -anchors reads standard input
	heads = "x"
	check(exitUnknown, "an anchor is N:DIGEST", "-anchors")
	check(exitUnknown, "an anchor is N:DIGEST", "-anchor", "x")
	check(exitUnknown, "64 hexadecimal digits", "-anchor", "3:ab")

	owner := db.Owner(t)
	change(t, owner, `UPDATE audit_records SET ip = '192.0.2.1' WHERE n = 2`)
	check(exitBroken, "The audit trail is broken at record 2: it was changed.")
	change(t, owner, `DROP TABLE chain_head`)
	change(t, owner, `UPDATE audit_records SET ip = '' WHERE n = 2`)
	check(exitUnknown, "could not be read")

	t.Setenv("AUDIT_KEY", "short")
	check(exitUnknown, "AUDIT_KEY")
}

func change(t *testing.T, owner *pgx.Conn, statement string) {
	t.Helper()
	if _, err := owner.Exec(context.Background(), statement); err != nil {
		t.Fatal(err)
	}
}
