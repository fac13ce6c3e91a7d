package postgres_test

import (
	"testing"

	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/testkit"
)

// The same text is used with other values, and a name may occur in it more than once.
func TestNamedArgumentsAreReplaced(t *testing.T) {
	db := testkit.NewDatabase(t)
	const statement = `SELECT @first::text || @second::text || @first::text, '@first'`
	for _, given := range []postgres.Args{{"first": "a", "second": "b"}, {"second": "d", "first": "c"}} {
		var joined, quoted string
		if err := db.Pool.QueryRow(t.Context(), statement, given).Scan(&joined, &quoted); err != nil {
			t.Fatal(err)
		}
		first, second := given["first"].(string), given["second"].(string)
		if joined != first+second+first || quoted != "@first" {
			t.Errorf("with %v: %q and %q", given, joined, quoted)
		}
	}
}

// The result is the same whether the text was parsed before or not.
func TestAMissingValueIsAnErrorAndAnExtraValueIsNot(t *testing.T) {
	const statement = `SELECT @first::text, @second::text`
	for _, when := range []string{"before the text was read", "after"} {
		for _, given := range []postgres.Args{{}, {"first": "a"}, {"first": "a", "third": "c"}} {
			if _, _, err := given.RewriteQuery(t.Context(), nil, statement, nil); err == nil {
				t.Errorf("%s, %v: no error", when, given)
			}
		}
		if _, values, err := (postgres.Args{
			"first": "a", "second": "b", "third": "c",
		}).RewriteQuery(t.Context(), nil, statement, nil); err != nil || len(values) != 2 {
			t.Errorf("%s: %v, %v", when, values, err)
		}
	}
}
