package stack

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// runAlone runs a command of the program that needs a service's database and settings, such as `audit verify`, on the
// data folder. The system of that folder may be running; if it is not, PostgreSQL and Redis are started for the
// duration of the command. It reads from in and writes to out.
func runAlone(
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
	cmd, err := options.program(ctx, productPackage, args...)
	if err != nil {
		return err
	}
	cmd.Env = options.serviceEnv(service, base, secrets)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	if err := Run(cmd); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return nil
}

// program builds a program of the repository and returns a command that runs it.
func (o Options) program(ctx context.Context, pack string, args ...string) (*exec.Cmd, error) {
	program, err := BuildProgram(ctx, o, pack)
	return exec.CommandContext(ctx, program, args...), err
}

// BuildProgram builds a program of the repository and returns its path.
func BuildProgram(ctx context.Context, options Options, pack string) (string, error) {
	bin := options.binFolder()
	return filepath.Join(bin, path.Base(pack)), options.Progress.Step("building "+path.Base(pack), func() error {
		return options.buildGo(ctx, bin, nil, []string{pack})
	})
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
