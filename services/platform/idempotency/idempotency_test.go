package idempotency_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/idempotency"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

type answer struct{ Number int }

// ask runs one request with a key. done counts how often its effect took place.
func ask(
	ctx context.Context, db *testkit.Database, key idempotency.Key, done *int,
) (got answer, replayed bool, err error) {
	err = postgres.InTx(ctx, db.Pool, func(tx pgx.Tx) error {
		if replayed, err = key.Reserve(ctx, tx, &got); err != nil || replayed {
			return err
		}
		*done++
		got = answer{Number: *done}
		return key.Store(ctx, tx, got)
	})
	return got, replayed, err
}

func keyOf(t *testing.T, actor, route, key, meaning string) idempotency.Key {
	t.Helper()
	k, err := idempotency.Of(actor, route, key, meaning)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestARepeatedRequestReplaysTheFirstResponse(t *testing.T) {
	db, done := testkit.NewDatabase(t, idempotency.Migrations()), 0
	key := keyOf(t, "asha", "POST /x", "key-of-asha", "tea")
	for i := range 3 {
		got, replayed, err := ask(t.Context(), db, key, &done)
		if err != nil || got.Number != 1 || replayed != (i > 0) {
			t.Errorf("request %d is answered %v, replayed %v, %v", i+1, got, replayed, err)
		}
	}
	if _, _, err := ask(
		t.Context(), db, keyOf(t, "asha", "POST /x", "key-of-asha", "coffee"), &done,
	); !errors.Is(err, idempotency.ErrKeyReused) {
		t.Errorf("another request with the key is answered %v", err)
	}
	for _, other := range []idempotency.Key{
		keyOf(t, "rao", "POST /x", "key-of-asha", "tea"), keyOf(t, "asha", "POST /y", "key-of-asha", "tea"), {},
	} {
		if _, replayed, err := ask(t.Context(), db, other, &done); replayed || err != nil {
			t.Errorf("another user's request is answered from the store: %v, %v", replayed, err)
		}
	}
}

func TestAKeyIsFreeAgainAfterItsLife(t *testing.T) {
	db, lives := testkit.NewDatabase(t, idempotency.Migrations()), idempotency.Lives{"POST /long": 72 * time.Hour}
	for _, test := range []struct {
		route, age string
		free       bool
	}{
		{"POST /x", "23 hours", false}, {"POST /x", "24 hours 1 second", true},
		{"POST /long", "71 hours", false}, {"POST /long", "72 hours 1 second", true},
	} {
		done, key := 0, keyOf(t, "asha", test.route, "key-of-"+test.age, "tea")
		if _, _, err := ask(t.Context(), db, key, &done); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Owner(t).Exec(
			t.Context(), `UPDATE idempotency SET created_at = now() - $1::text::interval`, test.age,
		); err != nil {
			t.Fatal(err)
		}
		if err := lives.Delete(t.Context(), db.Pool); err != nil {
			t.Fatal(err)
		}
		if got, replayed, err := ask(t.Context(), db, key, &done); err != nil || replayed == test.free {
			t.Errorf("%s after %s: answered %v, replayed %v, %v", test.route, test.age, got, replayed, err)
		}
	}
}

func TestAConcurrentRequestWithTheKeyWaitsTwoSeconds(t *testing.T) {
	db := testkit.NewDatabase(t, idempotency.Migrations())
	key := keyOf(t, "asha", "POST /x", "key-of-asha", "tea")
	reserved, end := make(chan struct{}), make(chan struct{})
	var first sync.WaitGroup
	first.Go(func() {
		err := postgres.InTx(t.Context(), db.Pool, func(tx pgx.Tx) error {
			_, err := key.Reserve(t.Context(), tx, &answer{})
			close(reserved)
			<-end
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-reserved
	done := 0
	_, _, err := ask(t.Context(), db, key, &done)
	close(end)
	first.Wait()
	if !errors.Is(err, idempotency.ErrBusyKey) || fault.Of(err).RetryAfter == 0 || done != 0 {
		t.Errorf("answered %v after %d effects", err, done)
	}
}

func TestAKeyHas8To128VisibleCharacters(t *testing.T) {
	for key, good := range map[string]bool{
		"12345678": true, strings.Repeat("k", 128): true, "0190a5d-ac96!~": true,
		"1234567": false, strings.Repeat("k", 129): false, "with a blank": false, "tab\tinside": false,
		"नमस्ते-नमस्ते": false,
	} {
		if _, err := idempotency.FromHeader(http.Header{"Idempotency-Key": {key}}); (err == nil) != good {
			t.Errorf("%.20q: %v", key, err)
		}
	}
	if _, err := idempotency.FromHeader(http.Header{"Idempotency-Key": {"12345678", "12345678"}}); err == nil {
		t.Error("two keys are taken")
	}
	if key, err := idempotency.FromHeader(http.Header{}); key != "" || err != nil {
		t.Errorf("no key is read as %q, %v", key, err)
	}
}
