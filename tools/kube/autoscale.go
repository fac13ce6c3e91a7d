package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"baari.dev/tools/stack"
)

const (
	hard  = 50 // requests a second; each of the test's users is limited to 20
	light = 3  // requests a second that the minimum of replicas can serve

	outWithin = 3 * time.Minute
	inWithin  = 10 * time.Minute // an autoscaler looks back five minutes unless its behavior overrides it
)

// scaled is a component with an autoscaler: its minimum of replicas, and the number that is ready.
type scaled struct {
	component    string
	least, ready int
}

func (r *run) autoscaled(ctx context.Context) ([]scaled, error) {
	text, err := r.output(ctx, "kubectl", "--namespace", r.Namespace, "get", "horizontalpodautoscalers,deployments",
		"--selector", "app.kubernetes.io/instance="+release, "--output", "json")
	if err != nil {
		return nil, err
	}
	var found struct {
		Items []struct {
			Kind     string
			Metadata struct{ Name string }
			Spec     struct{ MinReplicas int }
			Status   struct{ ReadyReplicas int }
		}
	}
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		return nil, fmt.Errorf("the autoscalers: %w", err)
	}
	ready := map[string]int{}
	for _, item := range found.Items {
		ready[item.Kind+item.Metadata.Name] = item.Status.ReadyReplicas
	}
	var all []scaled
	for _, item := range found.Items {
		if name := item.Metadata.Name; item.Kind == "HorizontalPodAutoscaler" {
			all = append(all, scaled{strings.TrimPrefix(name, release+"-"), item.Spec.MinReplicas, ready["Deployment"+name]})
		}
	}
	return all, nil
}

func (r *run) scaleOut(ctx context.Context) error {
	return r.awaitScale(ctx, outWithin, "no autoscaler added a replica", func(all []scaled) bool {
		return slices.ContainsFunc(all, func(s scaled) bool { return s.ready > s.least })
	})
}

func (r *run) scaleIn(ctx context.Context) error {
	return r.awaitScale(ctx, inWithin, "an autoscaler kept more than its minimum", func(all []scaled) bool {
		return !slices.ContainsFunc(all, func(s scaled) bool { return s.ready != s.least })
	})
}

// awaitScale waits until a condition is true for the autoscaled components, and reports each new state.
func (r *run) awaitScale(ctx context.Context, within time.Duration, otherwise string, holds func([]scaled) bool) error {
	reported, begin := "", time.Now()
	return stack.Await(ctx, within, func(ctx context.Context) error {
		all, err := r.autoscaled(ctx)
		if now := counts(all); err == nil && now != reported {
			reported = now
			r.Progress.Printf("  after %s:%s", time.Since(begin).Round(time.Second), now)
		}
		if err == nil && !holds(all) {
			err = fmt.Errorf("%s within %s", otherwise, within)
		}
		if err != nil {
			_ = stack.Pause(ctx, time.Second)
		}
		return err
	})
}

func counts(all []scaled) string {
	var text strings.Builder
	for _, s := range all {
		fmt.Fprintf(&text, " %s %d", s.component, s.ready)
	}
	return text.String()
}
