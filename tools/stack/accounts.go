package stack

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"baari.dev/tools/sample/client"
)

// demoAccounts lists the users of the demo office. Auth itself creates the first one, the administrator.
var demoAccounts = []client.Account{
	{Role: "admin", Email: "admin@baari.example", Name: "Administrator"},
	{Role: "reception", Email: "reception@baari.example", Name: "Meera Joshi"},
	{Role: "pa", Email: "pa@baari.example", Name: "Arjun Menon"},
	{Role: "consultant", Email: "consultant@baari.example", Name: "Kavita Rao"},
	{Role: "reception", Email: "reception2@baari.example", Name: "Sunil Patil"},
	{Role: "consultant", Email: "consultant2@baari.example", Name: "Imran Sheikh"},
}

// makeAccounts creates the missing demo accounts through the public API.
func (s *Stack) makeAccounts(ctx context.Context) error {
	s.accounts = s.secrets.accounts()
	admin := client.Client{Base: httpAddress(s.ports["auth"].public), Address: "192.0.2.1"}
	if err := admin.SignIn(ctx, s.accounts[0].Email, s.accounts[0].Password); err != nil {
		return fmt.Errorf("sign in as the demo administrator: %w", err)
	}
	known, err := admin.Users(ctx, "@baari.example")
	if err != nil {
		return fmt.Errorf("list the accounts: %w", err)
	}
	group, groupCtx := errgroup.WithContext(ctx)
	// Auth hashes at most this number of passwords at a time, and rejects requests that wait too long.
	group.SetLimit(runtime.NumCPU())
	for i, account := range s.accounts {
		if slices.ContainsFunc(known, func(u client.User) bool { return u.Email == account.Email }) {
			continue
		}
		// Each request has its own client address, since sign-up is limited per address.
		person := client.Client{Base: admin.Base, Address: fmt.Sprintf("192.0.2.%d", i+1)}
		group.Go(func() error {
			if err := register(groupCtx, &person, account); err != nil {
				return fmt.Errorf("create the demo account of role %s: %w", account.Role, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return admin.SignOut(ctx)
}

// register signs a user up and sets the role, as the register screen does.
func register(ctx context.Context, person *client.Client, account client.Account) error {
	if _, err := person.Join(ctx, account.Name, account.Email, account.Password, account.Role, nil); err != nil {
		return err
	}
	return person.SignOut(ctx)
}

func (s *Stack) addVisits(ctx context.Context) error {
	var said string
	err := s.progress.Step("adding sample visits", func() (err error) {
		program := filepath.Join(s.options.binFolder(), filepath.Base(Lab))
		said, err = Output(exec.CommandContext(ctx, program, "seed", "--data", s.folder.Path()))
		return err
	})
	if said != "" {
		s.progress.Printf("%s", strings.TrimSpace(said))
	}
	return err
}

// Accounts returns the demo accounts with their passwords, the administrator first.
func (s *Stack) Accounts() []client.Account { return s.accounts }
