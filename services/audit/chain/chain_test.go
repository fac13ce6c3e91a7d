package chain_test

import (
	"errors"
	"slices"
	"testing"

	"baari.dev/services/audit/chain"
)

var key = chain.Key("a key")

func build(fields ...[]string) []chain.Record {
	var head chain.Head
	var records []chain.Record
	for _, f := range fields {
		values := []chain.Digest{key.Values(nil), key.Values([]byte(`{"name":"Asha"}`))}
		next := key.Next(head, f, values...)
		records = append(records, chain.Record{Head: next, Before: head.Digest, Fields: f, Values: values})
		head = next
	}
	return records
}

func walk(k chain.Key, records []chain.Record) (head chain.Head, err error) {
	for _, record := range records {
		if head, err = k.Follow(head, record); err != nil {
			return head, err
		}
	}
	return head, nil
}

func TestUnchangedChainVerifies(t *testing.T) {
	records := build([]string{"a", "b"}, []string{"c", "d"}, []string{"e", "f"})
	head, err := walk(key, records)
	if err != nil || head != records[2].Head || head.N != 3 {
		t.Fatalf("%v, %v", head, err)
	}
}

// Each manipulation is detected at the first record that it affects.
func TestFollowDetectsEveryManipulation(t *testing.T) {
	for what, c := range map[string]struct {
		do  func([]chain.Record) []chain.Record
		bad int64
	}{
		"a field changed": {func(r []chain.Record) []chain.Record {
			r[1].Fields = []string{"c", "x"}
			return r
		}, 2},
		"text moved between fields": {func(r []chain.Record) []chain.Record {
			r[1].Fields = []string{"cd", ""}
			return r
		}, 2},
		"a digest of values changed": {func(r []chain.Record) []chain.Record {
			r[1].Values[1] = key.Values([]byte("x"))
			return r
		}, 2},
		"values swapped": {func(r []chain.Record) []chain.Record {
			slices.Reverse(r[1].Values)
			return r
		}, 2},
		"a record removed":            {func(r []chain.Record) []chain.Record { return append(r[:1], r[2]) }, 2},
		"a record removed and closed": {func(r []chain.Record) []chain.Record { r[2].N = 2; return append(r[:1], r[2]) }, 2},
		"two records swapped": {func(r []chain.Record) []chain.Record {
			r[0], r[1] = r[1], r[0]
			r[0].N, r[1].N = 1, 2
			return r
		}, 1},
		"a record put in between": {func(r []chain.Record) []chain.Record {
			return []chain.Record{r[0], r[1], r[1], r[2]}
		}, 3},
		"a previous digest changed": {func(r []chain.Record) []chain.Record { r[2].Before[0]++; return r }, 3},
	} {
		_, err := walk(key, c.do(build([]string{"a", "b"}, []string{"c", "d"}, []string{"e", "f"})))
		var bad *chain.BadError
		if !errors.As(err, &bad) || bad.N != c.bad || bad.Reason == "" {
			t.Errorf("%s: %v, want record %d", what, err, c.bad)
		}
	}
}

func TestChainDoesNotVerifyWithAnotherKey(t *testing.T) {
	if _, err := walk(chain.Key("another"), build([]string{"a"})); err == nil {
		t.Error("it verifies")
	}
	digest := key.Values([]byte("x"))
	// ASVS 11.2.3, 11.4.3
	if bits := 8 * len(digest); bits < 256 || digest == chain.Key("another").Values([]byte("x")) {
		t.Errorf("a digest of values has %d bits, or does not need the key", bits)
	}
}
