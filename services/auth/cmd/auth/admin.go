package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/auth"
	"baari.dev/services/contract"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
)

// createAdmin runs `auth admin create`. The running service's relay publishes the event.
func createAdmin(ctx context.Context, config auth.Config, args []string) error {
	flags := flag.NewFlagSet("auth admin create", flag.ExitOnError)
	email := flags.String("email", "", "the administrator's e-mail address")
	person := flags.String("name", "", "the administrator's name")
	file := flags.String("password-file", "",
		"a file with the password; without it the password is read from standard input")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *email == "" || *person == "" || flags.NArg() > 0 {
		return errors.New("give --email ADDRESS and --name NAME")
	}
	password, err := readPassword(*file)
	if err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, config.DatabaseURL, config.Pools())
	if err != nil {
		return err
	}
	defer pool.Close()
	service, err := auth.New(config.Options(), auth.Deps{
		Pool:     pool,
		Outbox:   outbox.New(contract.SourceAuth, pool),
		Registry: prometheus.NewRegistry(),
		Log:      slog.Default(),
	})
	if err != nil {
		return err
	}
	id, err := service.CreateAdmin(ctx, auth.NewAdmin{Email: *email, Name: *person, Password: password})
	if err != nil {
		return fmt.Errorf("the administrator was not created: %w", err)
	}
	fmt.Println("created the administrator", *email, "with the id", id)
	return nil
}

// readPassword returns the first line of the file, or of standard input if path is "".
func readPassword(path string) (string, error) {
	var in io.Reader = os.Stdin
	if path != "" {
		file, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer file.Close()
		in = file
	} else {
		fmt.Fprint(os.Stderr, "Password: ")
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
