package stack

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"

	"github.com/gofrs/flock"
)

// RunService runs a subcommand of a service's program on the data folder, such as `auth admin create`. The system
// of that folder may be running; if it is not, PostgreSQL and Redis are started for the duration of the command. It
// reads from in and writes to out.
func RunService(
	ctx context.Context, options Options, in io.Reader, out io.Writer, service string, args ...string,
) error {
	base, done, err := options.servers(ctx)
	if err != nil {
		return err
	}
	defer done()
	secrets, err := loadSecrets(filepath.Join(options.Data, "secrets.json"))
	if err != nil {
		return err
	}
	if base.databases, err = makeDatabases(ctx, base.Postgres, secrets); err != nil {
		return err
	}
	built, err := options.buildService(ctx, service)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(built.bin, service), args...)
	cmd.Env = options.serviceEnv(service, base, secrets)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	if err := Run(cmd); err != nil {
		return fmt.Errorf("%s %s: %w", service, args[0], err)
	}
	return nil
}

// servers returns the addresses of the servers of a running system, or starts them; done stops those it has
// started.
func (o Options) servers(ctx context.Context) (base dependencies, done func(), err error) {
	if isLocked(o.Data) && readJSON(filepath.Join(o.Data, "run", "servers.json"), &base) == nil {
		return base, func() {}, nil
	}
	s, err := openServers(ctx, o)
	if err != nil {
		return base, nil, err
	}
	return s.base, s.Stop, nil
}

// isLocked reports whether a launcher runs on the data folder.
func isLocked(data string) bool {
	lock := flock.New(filepath.Join(data, "run", "lock"))
	taken, err := lock.TryLock()
	if taken {
		_ = lock.Unlock()
	}
	return err == nil && !taken
}
