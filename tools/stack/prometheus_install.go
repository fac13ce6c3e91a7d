package stack

import (
	"context"
	"os/exec"
	"path/filepath"
)

// PrometheusPrograms are the paths of Prometheus and promtool.
type PrometheusPrograms struct {
	Server   string
	Promtool string
	assets   string // folder of the web pages, if they are not embedded in the server
}

// The packages of Prometheus and promtool, whose version the module tools/measure/prometheus pins.
const (
	prometheusPackage = "github.com/prometheus/prometheus/cmd/prometheus"
	promtoolPackage   = "github.com/prometheus/prometheus/cmd/promtool"
)

// FindPrometheus returns Prometheus and promtool from PATH, otherwise from Debian's package, which it unpacks into the
// cache. If that fails, it builds the pinned version into the cache, which takes minutes.
func FindPrometheus(ctx context.Context, root string, progress *Progress) (PrometheusPrograms, error) {
	server, errServer := exec.LookPath("prometheus")
	promtool, errPromtool := exec.LookPath("promtool")
	if errServer == nil && errPromtool == nil {
		return PrometheusPrograms{Server: server, Promtool: promtool}, nil
	}
	folder, err := UnpackDebian(ctx, "prometheus", progress)
	if err == nil {
		return PrometheusPrograms{
			Server: filepath.Join(folder, "bin", "prometheus"), Promtool: filepath.Join(folder, "bin", "promtool"),
			assets: filepath.Join(folder, "usr/share/prometheus/web") + "/",
		}, nil
	}
	if ctx.Err() != nil {
		return PrometheusPrograms{}, err
	}
	progress.Printf("no Prometheus from a Debian package (%v)", err)
	return buildPrometheus(ctx, root, progress)
}

// buildPrometheus builds the pinned programs without cloud service discovery: it is most of the code, and unused here.
func buildPrometheus(ctx context.Context, root string, progress *Progress) (PrometheusPrograms, error) {
	module := filepath.Join(root, "tools", "measure", "prometheus")
	folder, err := buildOnce(ctx, module, "prometheus", "Prometheus", progress, func(unfinished string) error {
		cmd := GoCommand(ctx, module, "build", "-trimpath", "-tags", "remove_all_sd", "-ldflags=-s -w",
			"-o", unfinished+"/", prometheusPackage, promtoolPackage)
		cmd.Env = append(cmd.Env, "GOWORK=off", "GOFLAGS=")
		return runQuietly(cmd)
	})
	return PrometheusPrograms{
		Server: filepath.Join(folder, "prometheus"), Promtool: filepath.Join(folder, "promtool"),
	}, err
}
