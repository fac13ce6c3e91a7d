// Package kube tests an installation on a real Kubernetes cluster, as people use it and as operators treat it.
package kube

import (
	"context"
	"errors"
	"fmt"
	"time"

	"baari.dev/tools/stack"
)

// Options say which cluster, what to install and how to reach it.
type Options struct {
	Chart     string   // folder of the chart
	Values    []string // files with values
	Namespace string   // made for the test, and removed after it unless Keep
	URL       string   // baseUrl of the values: what people open
	Ingress   string   // host:port where URL's host is really to be found; "": where its name leads
	Tag, Next string   // of the images to install and to upgrade to
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
	office *office
}

// step is one thing that is done to the installation while people work. Failed requests are allowed only where a single pod is killed.
type step struct {
	name    string
	failing bool
	do      func(context.Context, *run) error
}

var steps = []step{
	{"upgrade", false, func(ctx context.Context, r *run) error { return r.install(ctx, r.Next) }},
	{"rollback", false, func(ctx context.Context, r *run) error { return r.helm(ctx, "rollback", release, "1", "--wait") }},
	{"realtime from 1 to 3 and back", false, func(ctx context.Context, r *run) error { return r.scaleRealtime(ctx) }},
	{"Redis deleted", false, func(ctx context.Context, r *run) error { return r.kill(ctx, "redis", "statefulset") }},
	{"auth killed", true, killing("auth")},
	{"visits killed", true, killing("visits")},
	{"directory killed", true, killing("directory")},
	{"audit killed", true, killing("audit-analytics")},
	{"realtime killed", true, killing("realtime")},
	{"gateway killed", true, killing("gateway")},
}

func killing(component string) func(context.Context, *run) error {
	return func(ctx context.Context, r *run) error { return r.kill(ctx, component, "deployment") }
}

// Run installs, works, hurts and checks, and says of each step what it measured. It returns every broken promise at once.
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
	for _, s := range steps {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.perform(ctx, s); err != nil {
			broken = append(broken, fmt.Errorf("%s: %w", s.name, err))
			r.Progress.Printf("%s: %v", s.name, err)
		}
	}
	return errors.Join(append(broken, r.invariants(ctx))...)
}

// settle is how long people go on working after a step, so that what it broke late shows, too.
const settle = 5 * time.Second

// perform does one step under load and waits until every stream has brought every visit.
func (r *run) perform(ctx context.Context, s step) error {
	load := r.office.work(ctx)
	begin := time.Now()
	err := s.do(ctx, r)
	took := time.Since(begin)
	select {
	case <-time.After(settle):
	case <-ctx.Done():
	}
	result := load.stop()
	missed := r.office.awaitStreams(ctx)
	r.Progress.Printf("%s: %s, %d requests, %d failed, %d visits made, %d missed on streams", s.name, took.Round(100*time.Millisecond),
		result.requests, len(result.failures), result.made, missed)
	switch {
	case err != nil:
		return err
	case missed > 0:
		return fmt.Errorf("%d events were missed", missed)
	case len(result.failures) > 0 && !s.failing:
		return fmt.Errorf("%d of %d requests failed, the first: %w", len(result.failures), result.requests, result.failures[0])
	}
	return nil
}
