// Package kube tests upgrades, scaling and failures under load in a Kubernetes cluster. Start reading at Run.
package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"baari.dev/services/contract/registry"
	"baari.dev/tools/stack"
)

// Options describe the installation, its address, the load and the steps.
type Options struct {
	Chart     string
	From      string // folder of an earlier chart, which is installed first; "": Chart
	Values    []string
	Before    []string // files with manifests to apply before the installation, such as Secrets that the values name
	Namespace string   // created for the test, and deleted after it unless Keep is set
	URL       string   // baseUrl of the values: the public address
	Ingress   string   // host:port to connect to for URL; "": the address that its host name resolves to
	Tag, Next string   // image tags of the installation and of the upgrade
	Only      []string // parts of the names of the steps to run; empty: every step
	Rate      int      // requests a second during most steps
	Streams   int      // open live streams
	Failovers []string // further steps, NAME=COMMAND: replace PostgreSQL by its standby
	Restarts  []string // further steps, NAME=COMMAND: restart a server in front of PostgreSQL, such as PgBouncer
	Keep      bool
	Progress  *stack.Progress
}

// release is the name of the installation.
const release = "baari"

// installWithin is the limit for an installation to be ready.
const installWithin = time.Minute

type run struct {
	Options
	office  *office
	load    *load
	mayFail int              // number of requests that may fail in the current step
	pardons func(error) bool // failures of the current step that are expected; nil: none
	reload  bool             // whether the current step may reset the streams, as a new epoch does
}

type step struct {
	name string
	rate int // requests a second
	do   func(context.Context) error
}

// steps returns the operations for this installation. If realtime has no autoscaler, it is scaled by hand.
func (r *run) steps(ctx context.Context) ([]step, error) {
	all := r.versions()
	found, err := r.autoscaled(ctx)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		all = append(all, step{"at rest", light, r.scaleIn}, step{"scaled out by load", hard, r.scaleOut},
			step{"scaled in at rest", light, r.scaleIn})
	}
	if !slices.ContainsFunc(found, func(s scaled) bool { return s.component == "realtime" }) {
		all = append(all, step{"realtime from 1 to 3 and back", r.Rate, r.scaleRealtime})
	}
	all = append(all, step{"Redis deleted", r.Rate, func(ctx context.Context) error {
		return r.kill(ctx, "redis", "statefulset")
	}})
	if _, err := r.living(ctx, "postgres"); err == nil { // PostgreSQL of the chart
		all = append(all, step{"PostgreSQL deleted", r.Rate, r.restartPostgres})
	}
	for _, service := range append(slices.Clone(registry.Services), registry.Service{Name: "gateway"}) {
		component := service.Image()
		all = append(all, step{component + " killed", r.Rate, func(ctx context.Context) error {
			return r.crash(ctx, component)
		}})
	}
	return append(all, r.commands()...), nil
}

// versions returns the upgrade and the rollback. If the first chart is of an earlier version, a second upgrade follows,
// because the later steps need the new chart.
func (r *run) versions() []step {
	upgrade := func(ctx context.Context) error { return r.install(ctx, r.Chart, r.Next) }
	all := []step{
		{"upgrade", r.Rate, upgrade},
		{"rollback", r.Rate, func(ctx context.Context) error { return r.helm(ctx, "rollback", release, "1", "--wait") }},
	}
	if r.From != "" {
		all = append(all, step{"upgrade after the rollback", r.Rate, upgrade})
	}
	return all
}

func (r *run) commands() (all []step) {
	for _, failover := range r.Failovers {
		name, command, _ := strings.Cut(failover, "=")
		all = append(all, step{name, r.Rate, func(ctx context.Context) error { return r.failOver(ctx, command) }})
	}
	for _, restart := range r.Restarts {
		name, command, _ := strings.Cut(restart, "=")
		all = append(all, step{name, r.Rate, func(ctx context.Context) error { return r.interrupt(ctx, command) }})
	}
	return all
}

// Run installs, performs the chosen steps, and reports the measurements of each. It returns all violations at once.
func Run(ctx context.Context, options Options) (err error) {
	r := &run{Options: options}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	if !r.Keep {
		defer func() {
			err = errors.Join(err, r.kubectl(context.WithoutCancel(ctx), "delete", "namespace", r.Namespace))
		}()
	}
	begin := time.Now()
	if err := r.install(ctx, cmp.Or(r.From, r.Chart), r.Tag); err != nil {
		return err
	}
	took := time.Since(begin)
	r.Progress.Printf("installed and ready in %s", took.Round(100*time.Millisecond))
	var broken []error
	if took > installWithin {
		broken = append(broken, fmt.Errorf("the installation took %s", took))
	}
	if err := r.helm(ctx, "test", release); err != nil {
		return err
	}
	if r.office, err = r.open(ctx); err != nil {
		return err
	}
	defer r.office.close()
	if err := r.office.day(ctx); err != nil {
		return fmt.Errorf("the visitor's day: %w", err)
	}
	r.Progress.Printf("the visitor's day: from token to completion, received on every stream")
	steps, err := r.steps(ctx)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !r.chosen(s) {
			continue
		}
		if err := r.perform(ctx, s); err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", s.name, err))
			r.Progress.Printf("%s: %v", s.name, err)
		}
	}
	return errors.Join(append(broken, r.invariants(ctx))...)
}

func (r *run) chosen(s step) bool {
	return len(r.Only) == 0 || slices.ContainsFunc(r.Only, func(part string) bool {
		return strings.Contains(s.name, part)
	})
}

// settle is the duration of the load after a step, which shows late effects.
const settle = 5 * time.Second

// perform performs one step under load and waits until every stream has received every visit.
func (r *run) perform(ctx context.Context, s step) error {
	r.mayFail, r.pardons, r.reload, r.load = 0, nil, false, r.office.work(ctx, s.rate)
	begin := time.Now()
	err := s.do(ctx)
	took := time.Since(begin)
	_ = stack.Pause(ctx, settle)
	result := r.load.stop()
	if r.reload {
		r.Progress.Printf("%s: %d of %d streams were reset and reload", s.name, r.office.reload(ctx), len(r.office.streams))
	}
	missed := r.office.awaitStreams(ctx)
	r.Progress.Printf("%s: %s, %d requests, %d failed, %d visits created, %d missed on streams",
		s.name, took.Round(100*time.Millisecond), result.requests, len(result.failures), result.made, missed)
	if len(result.failures) > 0 {
		r.Progress.Printf("  the failed requests began within %s", result.outage().Round(100*time.Millisecond))
	}
	for _, line := range result.causes() {
		r.Progress.Printf("  %s", line)
	}
	switch {
	case err != nil:
		return err
	case missed > 0:
		return fmt.Errorf("%d events were missed", missed)
	}
	failures := result.failures
	if r.pardons != nil {
		failures = slices.DeleteFunc(slices.Clone(failures), r.pardons)
	}
	if len(failures) > r.mayFail {
		return fmt.Errorf("%d of %d requests failed, the first: %w", len(failures), result.requests, failures[0])
	}
	return nil
}
