package stack

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// PrometheusPrograms are the paths of Prometheus and promtool.
type PrometheusPrograms struct {
	Server   string
	Promtool string
	assets   string // folder of the web pages, if they are not embedded in the server
}

// The packages of tools/measure/prometheus, the module that pins them.
const (
	prometheusPackage = "github.com/prometheus/prometheus/cmd/prometheus"
	promtoolPackage   = "github.com/prometheus/prometheus/cmd/promtool"
)

// FindPrometheus returns Prometheus and promtool from PATH, else from Debian's package, unpacked into the cache but
// not installed: the package would start a service at boot. Where there is no such package, it builds the pinned
// version into the cache, which takes minutes.
func FindPrometheus(ctx context.Context, root string, progress *Progress) (PrometheusPrograms, error) {
	server, errServer := exec.LookPath("prometheus")
	promtool, errPromtool := exec.LookPath("promtool")
	if errServer == nil && errPromtool == nil {
		return PrometheusPrograms{Server: server, Promtool: promtool}, nil
	}
	cache, err := CacheFolder()
	if err != nil {
		return PrometheusPrograms{}, err
	}
	unlock, err := LockFile(ctx, filepath.Join(cache, "prometheus.lock"))
	if err != nil {
		return PrometheusPrograms{}, err
	}
	defer unlock()
	if found, ok := unpackedPrometheus(cache); ok {
		return found, nil
	}
	if errDebian := unpackPrometheus(ctx, cache, progress); errDebian == nil {
		if found, ok := unpackedPrometheus(cache); ok {
			return found, nil
		}
	} else if ctx.Err() == nil {
		progress.Printf("no Prometheus from a Debian package (%v)", errDebian)
	}
	found, err := buildPrometheus(ctx, root, cache, progress)
	return found, explain(err, cache)
}

const debianPrefix = "prometheus-debian-"

// unpackedPrometheus returns the newest package unpacked in the cache.
func unpackedPrometheus(cache string) (PrometheusPrograms, bool) {
	folders, _ := filepath.Glob(filepath.Join(cache, debianPrefix+"*"))
	slices.Sort(folders)
	for _, folder := range slices.Backward(folders) {
		found := PrometheusPrograms{
			Server: filepath.Join(folder, "usr/bin/prometheus"), Promtool: filepath.Join(folder, "usr/bin/promtool"),
			assets: filepath.Join(folder, "usr/share/prometheus/web") + "/",
		}
		if isFile(found.Server) && isFile(found.Promtool) {
			return found, true
		}
	}
	return PrometheusPrograms{}, false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// unpackPrometheus downloads Debian's package and unpacks it into a folder of the cache whose name contains the
// version. It installs nothing.
func unpackPrometheus(ctx context.Context, cache string, progress *Progress) error {
	if runtime.GOOS != "linux" {
		return errors.New("not a Debian system")
	}
	for _, program := range []string{"apt-get", "dpkg-deb"} {
		if _, err := exec.LookPath(program); err != nil {
			return err
		}
	}
	scratch, err := os.MkdirTemp(cache, "unpack-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	return progress.Step("downloading Prometheus from Debian", func() error {
		if err := downloadPackages(ctx, scratch); err != nil {
			return err
		}
		unpacked := filepath.Join(scratch, "unpacked")
		packages, err := UnpackDebian(ctx, scratch, unpacked)
		if err != nil {
			return err
		}
		for _, name := range packages {
			if parts := strings.Split(name, "_"); parts[0] == "prometheus" && len(parts) == 3 {
				return os.Rename(unpacked, filepath.Join(cache, debianPrefix+parts[1]))
			}
		}
		return errors.New("apt-get downloaded another package")
	})
}

// UnpackDebian unpacks the Debian packages of a folder into another one, without installing them. It returns the
// names of their files, such as redis_7.0.15_amd64.deb.
func UnpackDebian(ctx context.Context, folder, into string) (names []string, err error) {
	packages, err := filepath.Glob(filepath.Join(folder, "*.deb"))
	if err != nil {
		return nil, err
	}
	for _, file := range packages {
		if err := runQuietly(exec.CommandContext(ctx, "dpkg-deb", "-x", file, into)); err != nil {
			return nil, err
		}
		names = append(names, filepath.Base(file))
	}
	return names, nil
}

// pagesPackages are the packages that the web pages of Debian's Prometheus link to.
var pagesPackages = []string{
	"fonts-glyphicons-halflings", "libjs-bootstrap4", "libjs-d3", "libjs-eonasdan-bootstrap-datetimepicker",
	"libjs-jquery", "libjs-jquery-hotkeys",
	"libjs-moment", "libjs-moment-timezone", "libjs-mustache", "libjs-popper.js", "libjs-rickshaw",
}

// downloadPackages downloads Prometheus and, if they have the names of Debian 12, the packages of its web pages,
// which only a browser needs. As root it retries after apt-get update, since a new machine has no package lists.
func downloadPackages(ctx context.Context, dir string) error {
	download := func(names ...string) error {
		cmd := exec.CommandContext(ctx, "apt-get", append([]string{"download", "-q"}, names...)...)
		cmd.Dir = dir
		return runQuietly(cmd)
	}
	err := download("prometheus")
	if err != nil && os.Geteuid() == 0 {
		if err = runQuietly(exec.CommandContext(ctx, "apt-get", "update", "-q")); err == nil {
			err = download("prometheus")
		}
	}
	if err == nil {
		_ = download(pagesPackages...)
	}
	return err
}

// buildPrometheus builds the pinned programs without cloud service discovery, which is most of the code and is not
// used here.
func buildPrometheus(ctx context.Context, root, cache string, progress *Progress) (PrometheusPrograms, error) {
	module := filepath.Join(root, "tools", "measure", "prometheus")
	hash, err := moduleHash(module)
	if err != nil {
		return PrometheusPrograms{}, err
	}
	folder := filepath.Join(cache, "prometheus-"+hash)
	found := PrometheusPrograms{Server: filepath.Join(folder, "prometheus"), Promtool: filepath.Join(folder, "promtool")}
	return found, MakeOnce(ctx, folder, func(unfinished string) error {
		return progress.Step("building Prometheus, once; this takes minutes", func() error {
			cmd := GoCommand(ctx, module, "build", "-trimpath", "-tags", "remove_all_sd", "-ldflags=-s -w",
				"-o", unfinished+"/", prometheusPackage, promtoolPackage)
			cmd.Env = append(cmd.Env, "GOWORK=off", "GOFLAGS=")
			return runQuietly(cmd)
		})
	})
}
