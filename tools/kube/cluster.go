package kube

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os/exec"
	"slices"
	"strings"

	"baari.dev/tools/sample/client"
	"baari.dev/tools/stack"
)

// prepare creates the namespace with the Pod Security Standard "restricted", and applies the files in Before.
func (r *run) prepare(ctx context.Context) error {
	for _, tool := range []string{"kubectl", "helm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return stack.Advice("The test needs " + tool + " on PATH.")
		}
	}
	if err := r.kubectl(ctx, "create", "namespace", r.Namespace); err != nil {
		return err
	}
	if err := r.kubectl(
		ctx, "label", "namespace", r.Namespace, "pod-security.kubernetes.io/enforce=restricted",
	); err != nil {
		return err
	}
	for _, file := range r.Before {
		if err := r.kubectl(ctx, "apply", "--filename", file); err != nil {
			return err
		}
	}
	return nil
}

// install installs a version of the images, or upgrades to it, and waits until everything is ready.
func (r *run) install(ctx context.Context, chart, tag string) error {
	args := []string{
		"upgrade", "--install", release, chart, "--wait", "--timeout", "5m", "--set", "image.tag=" + tag, "--set",
		"baseUrl=" + r.URL,
	}
	for _, file := range r.Values {
		args = append(args, "--values", file)
	}
	return r.helm(ctx, args...)
}

// scaleRealtime scales from one replica to three and back, and then to the original number.
func (r *run) scaleRealtime(ctx context.Context) error {
	before, err := r.output(
		ctx, "kubectl", "--namespace", r.Namespace, "get", "deployment", release+"-realtime", "--output",
		"jsonpath={.spec.replicas}",
	)
	if err != nil {
		return err
	}
	for _, replicas := range []string{"1", "3", "1", before} {
		if err := r.kubectl(ctx, "scale", "deployment", release+"-realtime", "--replicas", replicas); err != nil {
			return err
		}
		if err := r.kubectl(ctx, "rollout", "status", "deployment", release+"-realtime", "--timeout", "2m"); err != nil {
			return err
		}
	}
	return nil
}

// crash kills a pod. Requests in flight may fail or, if it is the only pod, all requests until it is replaced.
func (r *run) crash(ctx context.Context, component string) error {
	pods, err := r.living(ctx, component)
	if err != nil {
		return err
	}
	r.mayFail = math.MaxInt
	if len(pods) > 1 {
		r.mayFail = r.load.inFlight()
	}
	return r.kill(ctx, component, "deployment")
}

// restartPostgres deletes the pod of the chart's PostgreSQL. Until its replacement is ready, requests may fail, but
// only with a 503 of a service. If a service had no ready pod meanwhile, the gateway itself would answer with a 502 or
// 503, and the step would fail.
func (r *run) restartPostgres(ctx context.Context) error {
	r.pardons = withoutDatabase
	return r.kill(ctx, "postgres", "statefulset")
}

// failOver runs a command that replaces PostgreSQL by its standby. Requests may fail with a 503, as in restartPostgres.
// A promoted standby begins a new epoch, which also resets the streams.
func (r *run) failOver(ctx context.Context, command string) error {
	r.reload = true
	return r.interrupt(ctx, command)
}

// interrupt runs a command that breaks the connections to PostgreSQL for a time. Requests may fail with a 503.
func (r *run) interrupt(ctx context.Context, command string) error {
	r.pardons = withoutDatabase
	out, err := r.output(ctx, "sh", "-c", command)
	r.Progress.Printf("%s", strings.TrimSpace(out))
	return err
}

// withoutDatabase reports whether a service answered that its database is unavailable.
func withoutDatabase(err error) bool {
	var rejected *client.Rejected
	return errors.As(err, &rejected) && rejected.Status == http.StatusServiceUnavailable &&
		slices.Contains([]string{"unavailable", "unknown_outcome", "busy"}, rejected.Code)
}

// kill deletes one of a component's pods, which has at most a second to shut down, and waits for the new one.
func (r *run) kill(ctx context.Context, component, kind string) error {
	pods, err := r.living(ctx, component)
	if err != nil {
		return err
	}
	if err := r.kubectl(ctx, append([]string{"delete", "pod", pods[0]}, abrupt(kind)...)...); err != nil {
		return err
	}
	return r.kubectl(ctx, "rollout", "status", kind, release+"-"+component, "--timeout", "2m")
}

// abrupt returns the options with which a pod is deleted. A pod of a stateful set is not deleted by force, because two
// servers could then write to its volume. PostgreSQL cannot shut down in a second, so it crashes, too.
func abrupt(kind string) []string {
	if kind == "statefulset" {
		return []string{"--grace-period=1"}
	}
	return []string{"--grace-period=0", "--force"}
}

// living returns the names of a component's pods that are not being deleted. It returns an error if there is none.
func (r *run) living(ctx context.Context, component string) ([]string, error) {
	const names = `go-template={{range .items}}{{if not .metadata.deletionTimestamp}}` +
		`{{.metadata.name}}{{"\n"}}{{end}}{{end}}`
	text, err := r.output(
		ctx, "kubectl", "--namespace", r.Namespace, "get", "pods", "--selector", selector(component), "--output", names,
	)
	pods := strings.Fields(text)
	if err == nil && len(pods) == 0 {
		err = fmt.Errorf("%s has no pod", component)
	}
	return pods, err
}

func selector(component string) string {
	return "app.kubernetes.io/instance=" + release + ",app.kubernetes.io/component=" + component
}

func (r *run) secret(ctx context.Context, name, key string) (string, error) {
	return r.output(
		ctx, "kubectl", "--namespace", r.Namespace, "get", "secret", name, "-o",
		"go-template={{index .data \""+key+"\" | base64decode}}",
	)
}

func (r *run) kubectl(ctx context.Context, args ...string) error {
	_, err := r.output(ctx, "kubectl", append([]string{"--namespace", r.Namespace}, args...)...)
	return err
}

func (r *run) helm(ctx context.Context, args ...string) error {
	_, err := r.output(ctx, "helm", append([]string{"--namespace", r.Namespace}, args...)...)
	return err
}

func (r *run) output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := stack.Output(exec.CommandContext(ctx, name, args...))
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}
