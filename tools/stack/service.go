package stack

import (
	"context"
	"path"
	"path/filepath"

	"github.com/gofrs/flock"
)

// BuildProgram builds a program of the repository and returns its path.
func BuildProgram(ctx context.Context, options Options, pack string) (string, error) {
	bin := options.binFolder()
	return filepath.Join(bin, path.Base(pack)), options.Progress.Step("building "+path.Base(pack), func() error {
		return options.buildGo(ctx, bin, nil, []string{pack})
	})
}

// servers returns the addresses of a running system's servers, or starts them. done stops the started servers.
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
