package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/template"
	"time"

	"go.yaml.in/yaml/v3"

	"baari.dev/tools/stack"
)

// FleetOptions select the offices of an upgrade.
type FleetOptions struct {
	Chart    string // folder of the chart
	File     string // an ApplicationSet as k8s/gitops/fleet.yaml
	Tag      string // of the images; "": those of the values
	Progress *stack.Progress
}

// applicationSet has the fields of Argo CD's ApplicationSet that an upgrade by Helm needs.
type applicationSet struct {
	Spec struct {
		Generators []struct {
			List struct{ Elements []map[string]string }
		}
		Strategy struct {
			RollingSync struct {
				Steps []struct {
					MatchExpressions []struct {
						Key    string
						Values []string
					} `yaml:"matchExpressions"`
				}
			} `yaml:"rollingSync"`
		}
		Template struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				Source struct {
					Helm struct {
						ReleaseName string   `yaml:"releaseName"`
						ValueFiles  []string `yaml:"valueFiles"`
					}
				}
				Destination struct{ Namespace string }
			}
		}
	}
}

// member is one installation of a fleet.
type member struct {
	namespace, release string
	values             []string
}

// UpgradeFleet installs or upgrades the offices of an ApplicationSet with Helm, wave by wave and one after the other,
// and runs the test of each. At the first office whose upgrade or test fails it stops: that office is rolled back to
// its revision before, and those after it are not touched.
func UpgradeFleet(ctx context.Context, options FleetOptions) error {
	waves, err := readFleet(options.File, options.Chart)
	if err != nil {
		return err
	}
	done := 0
	for n, wave := range waves {
		for _, m := range wave {
			if err := m.upgrade(ctx, options); err != nil {
				return fmt.Errorf("stopped in wave %d at %s, after %d offices: %w", n+1, m.namespace, done, err)
			}
			done++
			options.Progress.Printf("wave %d: %s is upgraded and its test passed", n+1, m.namespace)
		}
	}
	return nil
}

func (m member) upgrade(ctx context.Context, options FleetOptions) error {
	office := &run{Options: Options{Namespace: m.namespace}}
	before, _ := office.output(ctx, "helm", "--namespace", m.namespace, "status", m.release, "--output", "yaml")
	var status struct{ Version int }
	if err := yaml.Unmarshal([]byte(before), &status); err != nil {
		return err
	}
	args := []string{
		"upgrade", "--install", m.release, options.Chart, "--create-namespace", "--wait", "--timeout", "5m",
	}
	for _, file := range m.values {
		args = append(args, "--values", file)
	}
	if options.Tag != "" {
		args = append(args, "--set", "image.tag="+options.Tag)
	}
	err := office.helm(ctx, args...)
	if err == nil {
		err = m.awaitEnd(ctx, office)
	}
	if err == nil {
		err = office.helm(ctx, "test", m.release, "--timeout", "2m")
	}
	if err == nil || status.Version == 0 {
		return err
	}
	back := office.helm(ctx, "rollback", m.release, fmt.Sprint(status.Version), "--wait", "--timeout", "5m")
	if back == nil {
		options.Progress.Printf("%s is rolled back to its revision %d", m.namespace, status.Version)
	}
	return errors.Join(err, back)
}

// endWithin is the limit for the pods of the revision before to end; their grace period is 45 seconds.
const endWithin = 90 * time.Second

// awaitEnd waits until the pods of the revision before have ended. Until then a connection that the gateway keeps may
// reach one of them, and the test would be that of the revision before.
func (m member) awaitEnd(ctx context.Context, office *run) error {
	const ending = `go-template={{range .items}}{{if .metadata.deletionTimestamp}}{{.metadata.name}} {{end}}{{end}}`
	return stack.Await(ctx, endWithin, func(ctx context.Context) error {
		pods, err := office.output(ctx, "kubectl", "--namespace", m.namespace, "get", "pods",
			"--selector", "app.kubernetes.io/instance="+m.release, "--output", ending)
		if err == nil && pods != "" {
			err = errors.New("pods of the revision before have not ended: " + pods)
		}
		if err != nil {
			_ = stack.Pause(ctx, time.Second)
		}
		return err
	})
}

// readFleet returns the offices of each wave. Value files are relative to the chart, as Argo CD reads them.
func readFleet(file, chart string) ([][]member, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var set applicationSet
	if err := yaml.Unmarshal(text, &set); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	waves := make([][]member, len(set.Spec.Strategy.RollingSync.Steps))
	for _, generator := range set.Spec.Generators {
		for _, element := range generator.List.Elements {
			n, err := set.wave(element)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			m, err := set.member(element, chart)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			waves[n] = append(waves[n], m)
		}
	}
	return waves, nil
}

// wave returns the first step whose expressions match the labels of the element's Application.
func (s *applicationSet) wave(element map[string]string) (int, error) {
	for n, step := range s.Spec.Strategy.RollingSync.Steps {
		matches := true
		for _, expression := range step.MatchExpressions {
			label, err := fill(s.Spec.Template.Metadata.Labels[expression.Key], element)
			if err != nil {
				return 0, err
			}
			matches = matches && slices.Contains(expression.Values, label)
		}
		if matches {
			return n, nil
		}
	}
	return 0, fmt.Errorf("%v belongs to no step", element)
}

func (s *applicationSet) member(element map[string]string, chart string) (m member, err error) {
	spec := s.Spec.Template.Spec
	if m.namespace, err = fill(spec.Destination.Namespace, element); err != nil {
		return m, err
	}
	if m.release, err = fill(spec.Source.Helm.ReleaseName, element); err != nil {
		return m, err
	}
	for _, file := range spec.Source.Helm.ValueFiles {
		path, err := fill(file, element)
		if err != nil {
			return m, err
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(chart, filepath.FromSlash(path))
		}
		m.values = append(m.values, path)
	}
	return m, nil
}

// fill renders a template of the ApplicationSet for one of its elements.
func fill(text string, element map[string]string) (string, error) {
	parsed, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = parsed.Execute(&out, element)
	return out.String(), err
}
