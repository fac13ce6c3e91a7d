package kube

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"baari.dev/tools/stack"
)

// prepare makes the namespace, in which only restricted pods may run.
func (r *run) prepare(ctx context.Context) error {
	for _, tool := range []string{"kubectl", "helm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return stack.Advice("The test needs " + tool + " on PATH.")
		}
	}
	if err := r.kubectl(ctx, "create", "namespace", r.Namespace); err != nil {
		return err
	}
	return r.kubectl(ctx, "label", "namespace", r.Namespace, "pod-security.kubernetes.io/enforce=restricted")
}

// install installs a version of the images, or upgrades to it, and waits until everything is ready.
func (r *run) install(ctx context.Context, tag string) error {
	args := []string{"upgrade", "--install", release, r.Chart, "--wait", "--timeout", "5m", "--set", "image.tag=" + tag, "--set", "baseUrl=" + r.URL}
	for _, file := range r.Values {
		args = append(args, "--values", file)
	}
	return r.helm(ctx, args...)
}

func (r *run) scaleRealtime(ctx context.Context) error {
	for _, replicas := range []string{"3", "1"} {
		if err := r.kubectl(ctx, "scale", "deployment", release+"-realtime", "--replicas", replicas); err != nil {
			return err
		}
		if err := r.kubectl(ctx, "rollout", "status", "deployment", release+"-realtime", "--timeout", "2m"); err != nil {
			return err
		}
	}
	return nil
}

// kill ends a component's pods at once, without a chance to stop in order, and waits for the new ones.
func (r *run) kill(ctx context.Context, component, kind string) error {
	if err := r.kubectl(ctx, "delete", "pod", "--selector", selector(component), "--grace-period=0", "--force"); err != nil {
		return err
	}
	return r.kubectl(ctx, "rollout", "status", kind, release+"-"+component, "--timeout", "2m")
}

func selector(component string) string {
	return "app.kubernetes.io/instance=" + release + ",app.kubernetes.io/component=" + component
}

// secret is one value of a Secret of the installation.
func (r *run) secret(ctx context.Context, name, key string) (string, error) {
	return r.output(ctx, "kubectl", "--namespace", r.Namespace, "get", "secret", name, "-o", "go-template={{index .data \""+key+"\" | base64decode}}")
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
	var complaints strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, complaints.String())
	}
	return string(out), nil
}
