package account_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baari.dev/services/auth/account"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// S6.role.01, S4.auth.10: users set their own role once, soon after sign-up, and never to administrator.
func TestUsersChooseTheirRoleOnceAndEarly(t *testing.T) {
	young := account.User{Role: account.Reception, IsActive: true, CreatedAt: noon.Add(-time.Minute)}
	old := young
	old.CreatedAt = noon.Add(-account.RoleWindow)
	chosen := young
	chosen.Role, chosen.RoleSetAt = account.PA, &noon
	cases := []struct {
		name string
		user account.User
		role string
		set  bool
		err  error
	}{
		{"to consultant", young, account.Consultant, true, nil},
		{"to reception, which cannot be changed again", young, account.Reception, true, nil},
		{"to administrator", young, account.Admin, false, account.ErrAdminRole},
		{"to an unknown role", young, "superuser", false, account.ErrUnknownRole},
		{"again to the same", chosen, account.PA, false, nil},
		{"again to another", chosen, account.Reception, false, account.ErrRoleLocked},
		{"too late", old, account.PA, false, account.ErrRoleLocked},
		{"too late, to the current role", old, account.Reception, false, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			set, err := c.user.ChooseRole(c.role, noon)
			if set != c.set || !errors.Is(err, c.err) {
				t.Errorf("got %v, %v; want %v, %v", set, err, c.set, c.err)
			}
		})
	}
}

// For any sequence of requests the role changes at most once, never to administrator, and not after ten minutes.
func TestRoleIsChosenAtMostOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := account.User{Role: account.DefaultRole, CreatedAt: noon}
		now, changes := noon, 0
		for range rapid.IntRange(1, 20).Draw(t, "attempts") {
			now = now.Add(time.Duration(rapid.IntRange(0, 300).Draw(t, "seconds")) * time.Second)
			role := rapid.SampledFrom(append([]string{"", "Admin", "superuser"}, account.Roles...)).Draw(t, "role")
			set, err := u.ChooseRole(role, now)
			if !set {
				continue
			}
			changes++
			if err != nil || role == account.Admin || now.Sub(noon) >= account.RoleWindow {
				t.Fatalf("set to %q after %s (%v)", role, now.Sub(noon), err)
			}
			at := now
			u.Role, u.RoleSetAt = role, &at
		}
		if changes > 1 {
			t.Fatalf("the role was set %d times", changes)
		}
	})
}

func TestTheLastAdministratorCannotBeRemoved(t *testing.T) {
	admin := account.User{Role: account.Admin, IsActive: true}
	if err := admin.CheckRemoval(0); !errors.Is(err, account.ErrLastAdmin) {
		t.Errorf("the last administrator can be removed: %v", err)
	}
	if err := admin.CheckRemoval(1); err != nil {
		t.Errorf("one of two administrators cannot be removed: %v", err)
	}
	admin.IsActive = false
	if err := admin.CheckRemoval(0); err != nil {
		t.Errorf("an inactive administrator cannot be removed: %v", err)
	}
}

func TestPasswordRuleRejectsWeakPasswords(t *testing.T) {
	rule := account.PasswordRule{Min: 6, Office: "Lekha Tax & Advisory"}
	cases := []struct {
		name, password string
		err            error
	}{
		{"five characters", "zq9#k", account.ErrPasswordShort},
		{"six characters", "zq9#kw", nil},
		{"two emoji count four", "😀😀", account.ErrPasswordShort},
		{"three emoji count six", "😀😀😀", nil},
		{"128 characters", strings.Repeat("ab", 64), nil},
		{"129 characters", strings.Repeat("ab", 64) + "a", account.ErrPasswordLong},
		{"the most common one", "123456", account.ErrPasswordCommon},
		{"a common one in capitals", "LetMeIn", account.ErrPasswordCommon},
		{"the 99,999th", "lexxityler", account.ErrPasswordCommon},
		{"the office's name", "lekha tax & advisory", account.ErrPasswordCommon},
		{"the user's name", "Asha Verma", account.ErrPasswordCommon},
		{"the local part of the user's address", "asha.verma", account.ErrPasswordCommon},
		{"a common one with a suffix", "baari-reception-demo", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			// ASVS 6.1.2, 6.2.1, 6.2.4, 6.2.5, 6.2.9, 6.2.11
			if err := rule.Check(c.password, "Asha Verma", "asha.verma@example.com"); !errors.Is(err, c.err) {
				t.Errorf("got %v, want %v", err, c.err)
			}
		})
	}
	if err := (account.PasswordRule{Min: 5}).Check("baari", "", ""); !errors.Is(err, account.ErrPasswordCommon) {
		t.Errorf("baari is accepted: %v", err)
	}
}

// S5.signin.03: an address in capitals is valid.
func TestValidEmailAcceptsDottedDomainsOnly(t *testing.T) {
	valid := []string{"a@example.com", "ASHA@EXAMPLE.COM", "a.b+c'd@sub.example.co", "_a-@example.in"}
	invalid := []string{
		"", "asha", "asha@", "@example.com", "asha@localhost", " asha@example.com", "asha@example.com ", "a..b@example.com",
		".a@example.com", "a.@example.com", "a@-example.com", "a@example.c", "आशा@example.com", "a@ex_ample.com",
		"a@b@example.com",
		"a@example.com\n", strings.Repeat("a", 250) + "@example.com",
	}
	for _, address := range valid {
		if !account.ValidEmail(address) {
			t.Errorf("%q is rejected", address)
		}
	}
	for _, address := range invalid {
		if account.ValidEmail(address) {
			t.Errorf("%q is accepted", address)
		}
	}
}

func TestSessionsAreRenewedWithinTheirLifetimes(t *testing.T) {
	const day = 24 * time.Hour
	desk := account.Lifetimes{Idle: 12 * time.Hour, Absolute: 72 * time.Hour}
	long := account.Lifetimes{Idle: 20 * day, Absolute: 30 * day}
	begun := func(rule account.Lifetimes, remember bool) account.Session {
		s := account.Session{Remember: remember, CreatedAt: noon, UpdatedAt: noon}
		s.ExpiresAt = rule.Expiry(s, noon)
		return s
	}
	remembered, brief := begun(desk, true), begun(long, false)
	cases := []struct {
		name  string
		rule  account.Lifetimes
		of    account.Session
		after time.Duration
		end   time.Duration
		due   bool
	}{
		{"not at every use", desk, remembered, 71 * time.Minute, 0, false},
		{"a tenth of the idle limit after the last renewal", desk, remembered, 72 * time.Minute,
			12*time.Hour + 72*time.Minute, true},
		{"never past the absolute limit", desk, remembered, 71 * time.Hour, 72 * time.Hour, true},
		{"at least once a day", long, begun(long, true), day, 21 * day, true},
		{"not within the first day of a long limit", long, begun(long, true), day - time.Second, 0, false},
		{"never one that is not remembered", long, brief, 23 * time.Hour, 0, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			end, due := c.rule.Renewal(c.of, noon.Add(c.after))
			if due != c.due || due && !end.Equal(noon.Add(c.end)) {
				t.Errorf("due %v until %s after sign-in", due, end.Sub(noon))
			}
		})
	}
	if !remembered.Fresh(noon.Add(day-1)) || remembered.Fresh(noon.Add(day)) {
		t.Error("a session is fresh for exactly a day")
	}
	if end := brief.ExpiresAt.Sub(noon); end != day {
		t.Errorf("a session that is not remembered expires after %s", end)
	}
	if !brief.Live(noon.Add(day-1)) || brief.Live(noon.Add(day)) {
		t.Error("a session is live until exactly its expiry")
	}
}

func TestPausesDoubleWithEachFailure(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		1: 0, 5: 0, 6: time.Second, 7: 2 * time.Second, 15: 512 * time.Second, 16: 15 * time.Minute, 99: 15 * time.Minute,
	} {
		if got := account.Pause(failures); got != want {
			t.Errorf("after %d failures %s, want %s", failures, got, want)
		}
	}
}
