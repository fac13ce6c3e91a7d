// Package kube tests an installation on a real Kubernetes cluster, as people use it and as operators treat it.
package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"baari.dev/tools/stack"
)

// Options select the cluster, the installation and its address.
type Options struct {
	Chart     string   // folder of the chart
	Values    []string // files with values
	Before    []string // files with manifests that are there before the installation, as Secrets that the values name
	Namespace string   // made for the test, and removed after it unless Keep
	URL       string   // baseUrl of the values: the public address
	Ingress   string   // host:port where URL's host is really to be found; "": where its name leads
	Tag, Next string   // of the images to install and to upgrade to
	Only      []string // parts of the names of the steps to run; none: every step
	Keep      bool
	Progress  *stack.Progress
}

// release is the name of the installation.
const release = "baari"

// installWithin is how long an installation may take until everything is ready.
const installWithin = time.Minute

// run is one run of the test.
type run struct {
	Options
	office  *office
	load    *load // load of the users during the current step
	mayFail int   // how many requests the present step may cost
}

// step is one operation on the installation under load.
type step struct {
	name string
	rate int // requests a second
	do   func(context.Context) error
}

// steps are the operations for this installation: components with an autoscaler are not scaled by hand.
func (r *run) steps(ctx context.Context) ([]step, error) {
	all := []step{
		{"upgrade", rate, func(ctx context.Context) error { return r.install(ctx, r.Next) }},
		{"rollback", rate, func(ctx context.Context) error { return r.helm(ctx, "rollback", release, "1", "--wait") }},
	}
	found, err := r.autoscaled(ctx)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		all = append(all, step{"at rest", light, r.scaleIn}, step{"scaled out by load", hard, r.scaleOut},
			step{"scaled in at rest", light, r.scaleIn})
	}
	if !slices.ContainsFunc(found, func(s scaled) bool { return s.component == "realtime" }) {
		all = append(all, step{"realtime from 1 to 3 and back", rate, r.scaleRealtime})
	}
	all = append(all, step{"Redis deleted", rate, func(ctx context.Context) error {
		return r.kill(ctx, "redis", "statefulset")
	}})
	for _, component := range []string{"auth", "visits", "directory", "audit-analytics", "realtime", "gateway"} {
		all = append(all, step{component + " killed", rate, func(ctx context.Context) error {
			return r.crash(ctx, component)
		}})
	}
	return all, nil
}

// Run installs, runs all steps and checks, and reports the measurements of each. It returns all violations at once.
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
	if err := r.install(ctx, r.Tag); err != nil {
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
	r.Progress.Printf("the visitor's day: from token to completion, seen on every stream")
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

// settle is how long the load continues after a step, to show late effects.
const settle = 5 * time.Second

// perform does one step under load and waits until every stream has brought every visit.
func (r *run) perform(ctx context.Context, s step) error {
	r.mayFail, r.load = 0, r.office.work(ctx, s.rate)
	begin := time.Now()
	err := s.do(ctx)
	took := time.Since(begin)
	select {
	case <-time.After(settle):
	case <-ctx.Done():
	}
	result := r.load.stop()
	missed := r.office.awaitStreams(ctx)
	r.Progress.Printf("%s: %s, %d requests, %d failed, %d visits created, %d missed on streams",
		s.name, took.Round(100*time.Millisecond), result.requests, len(result.failures), result.made, missed)
	for _, line := range result.causes() {
		r.Progress.Printf("  %s", line)
	}
	switch {
	case err != nil:
		return err
	case missed > 0:
		return fmt.Errorf("%d events were missed", missed)
	case len(result.failures) > r.mayFail:
		return fmt.Errorf("%d of %d requests failed, the first: %w",
			len(result.failures), result.requests, result.failures[0])
	}
	return nil
}
