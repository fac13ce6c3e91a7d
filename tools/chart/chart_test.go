// Package chart has the tests of the chart: among others, they render it with every values file, validate the
// manifests, and check that its README and examples are up to date. With -update they only write both.
package chart

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"

	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

const root = "../.."

var update = flag.Bool("update", false, "write the chart's README and examples")

const (
	chart       = "charts/baari"
	helmModule  = "helm.sh/helm/v3/cmd/helm@v3.22.0"
	conformTool = "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0"
	kubeVersion = "1.34.4" // the version the chart is rendered for
	// skaffoldModule holds the JSON schemas of all versions of skaffold.yaml.
	skaffoldModule = "github.com/GoogleContainerTools/skaffold/v2@v2.16.1"
)

// invalidValues maps an invalid value to a part of the error message that the chart must give for it.
var invalidValues = map[string]string{
	"defaults.resources.requests.cpu=banana":         "requests/cpu",
	"defaults.resources.limits.memory=1x":            "limits/memory",
	"services.visits.autoscaling.min=7":              "visits: autoscaling.min 7 is more than autoscaling.max 5",
	"web.autoscaling.cpu=70%":                        "autoscaling/cpu",
	"image.digest=abc":                               "image/digest",
	"image.digests.web=abc":                          "set image.digest in place of image.digests",
	"baarictl.image=example.com/baarictl:1":          "in place of baarictl.image",
	"gateway.service.nodePort=80":                    "nodePort",
	"lifecycle.gracePeriod=6000":                     "gracePeriod",
	"postgres.storage.size=large":                    "storage/size",
	"networkPolicy.egress={a}":                       "networkPolicy/egress",
	"networkPolicy.egress.mail[0].ports[0].port=587": "networkPolicy/egress/mail/0",
	"redis.url=redis://cache.example.com:6379":       "networkPolicy.egress.redis: name the destination",
	"gateway.kind=nginx":                             "'traefik', 'embedded'",
	"retentionDays=30":                               "want 365",
	"services.visits.replica=2":                      "'replica' not allowed",
	"baseUrl=desk.example.com":                       "baseUrl",
	"gatewayApi.enabled=true":                        "parentRefs",
	"image.tag=latest":                               "tag",
	"postgres.url=mysql://a@b/c":                     "postgres/url",
	"trustedProxyHops=11":                            "trustedProxyHops",
	"trustedProxyHops=1":                             "trustedProxies and trustedProxyHops go together",
	"trustedProxies={10.1.2.0/24}":                   "trustedProxies and trustedProxyHops go together",
	"ingress.enabled=true":                           "trustedProxies: name the ingress controller",
	// The default of earlier releases.
	"trustedProxies={172.16.0.0/12,10.0.0.0/8}": "10.0.0.0/8 has clients, too",
	"web.autoscaling.behavior=fast":             "autoscaling/behavior",
	"secrets.existingDatabases=same":            "existingDatabases",
	"prometheusRule.runbooks=wiki":              "runbooks",
	"trustedCA.secret=a,trustedCA.configMap=b":  "trustedCA",
	"secrets.generate=false":                    "secrets.existingDatabases",
	"streams.perPerson=0":                       "streams/perPerson",
	"gateway.rate.burst=0":                      "rate/burst",
	"databases.pool=2":                          "databases/pool",
	"databases.pooler=true":                     "databases.pooler needs secrets.existingDatabases",
}

// TestTheChart renders the chart with every values file and runs the checks in checkAll, such as the validation against
// the Kubernetes schemas and the comparison with the committed examples. With -update it only writes the examples and
// the README.
func TestTheChart(t *testing.T) {
	if testing.Short() {
		t.Skip("part chart of `baari test all`, which builds Helm")
	}
	at, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	err = suite.WithRunner(t.Context(), at, t.Output(), func(r *suite.Runner) error {
		if *update {
			return generate(t.Context(), r)
		}
		return checkAll(t, r)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkAll(t *testing.T, r *suite.Runner) error {
	tools, err := toolsOf(t.Context(), r)
	if err != nil {
		return err
	}
	rendered, err := tools.renderAll(t.Context())
	if err != nil {
		return err
	}
	for name, check := range map[string]func(context.Context) error{
		"lint":       tools.lint,
		"examples":   func(context.Context) error { return tools.sameExamples(rendered) },
		"readme":     func(context.Context) error { return sameReadme(r.Root) },
		"schemas":    func(ctx context.Context) error { return tools.conformAll(ctx, rendered) },
		"k8s":        tools.conformFolder,
		"skaffold":   tools.conformSkaffold,
		"invalid":    tools.rejectInvalid,
		"policies":   tools.reach,
		"repeatable": tools.repeatable,
		"pushed":     tools.pushed,
	} {
		t.Run(name, func(t *testing.T) {
			if err := check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	t.Logf("%d renderings, %d invalid values", len(rendered), len(invalidValues))
	return nil
}

// renderer holds the paths of the programs and the schemas that this part uses.
type renderer struct {
	r                         *suite.Runner
	helm, kubeconform, schema string
}

func toolsOf(ctx context.Context, r *suite.Runner) (*renderer, error) {
	helm, err := r.GoProgram(ctx, "helm", helmModule)
	if err != nil {
		return nil, err
	}
	kubeconform, err := r.GoProgram(ctx, "kubeconform", conformTool)
	if err != nil {
		return nil, err
	}
	schema, err := kubernetesSchemas(ctx, r.Progress)
	return &renderer{r, helm, kubeconform, schema}, err
}

// renderAll renders the chart with each values file in charts/baari/ci and k8s. The keys are the file names.
func (t *renderer) renderAll(ctx context.Context) (map[string]string, error) {
	rendered := map[string]string{}
	for _, pattern := range []string{chart + "/ci/*-values.yaml", "k8s/*/values*.yaml"} {
		files, err := filepath.Glob(filepath.Join(t.r.Root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := t.render(ctx, "--values", file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			name, err := filepath.Rel(t.r.Root, file)
			if err != nil {
				return nil, err
			}
			rendered[filepath.ToSlash(name)] = text
		}
	}
	return rendered, nil
}

// render returns the chart's manifests with the same text in place of each generated secret.
func (t *renderer) render(ctx context.Context, args ...string) (string, error) {
	text, err := t.template(ctx, args...)
	return secretValue.ReplaceAllString(text, "made-once"), err
}

func (t *renderer) template(ctx context.Context, args ...string) (string, error) {
	args = append(
		[]string{"template", "baari", filepath.FromSlash(chart), "--namespace", "baari", "--kube-version", kubeVersion},
		args...,
	)
	return stack.Output(t.r.Command(ctx, "", t.helm, args...))
}

// secretValue matches a secret that the chart generates at random in every rendering.
var secretValue = regexp.MustCompile(`[A-Za-z0-9+/]{43}=|\b[A-Za-z0-9]{40}\b`)

func (t *renderer) lint(ctx context.Context) error {
	return t.r.Run(t.r.Command(
		ctx, "", t.helm, "lint", "--quiet", "--strict", "--kube-version", kubeVersion, filepath.FromSlash(chart),
	))
}

func (t *renderer) conformAll(ctx context.Context, rendered map[string]string) error {
	var errs []error
	for name, text := range rendered {
		if err := t.conform(ctx, t.schema, strings.NewReader(text), "-"); err != nil {
			errs = append(errs, fmt.Errorf("%s does not match the Kubernetes schemas: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// conform validates files against the schemas. The file name "-" stands for the text of the reader.
func (t *renderer) conform(ctx context.Context, schema string, in io.Reader, files ...string) error {
	cmd := t.r.Command(ctx, "", t.kubeconform, append([]string{"-strict", "-schema-location", schema}, files...)...)
	cmd.Stdin = in
	return t.r.Run(cmd)
}

// conformFolder validates the plain manifests in k8s.
func (t *renderer) conformFolder(ctx context.Context) error {
	var files []string
	err := filepath.WalkDir(filepath.Join(t.r.Root, "k8s"), func(path string, entry fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err == nil && !entry.IsDir() && filepath.Ext(name) == ".yaml" && name != "kustomization.yaml" &&
			!strings.HasPrefix(name, "values") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	return t.conform(ctx, t.schema, nil, files...)
}

// conformSkaffold validates skaffold.yaml against the schema of the version that it names.
func (t *renderer) conformSkaffold(ctx context.Context) error {
	source, err := stack.DownloadModule(ctx, os.TempDir(), skaffoldModule)
	if err != nil {
		return err
	}
	schema := filepath.Join(source, "docs-v2", "content", "en", "schemas", "{{.ResourceAPIVersion}}.json")
	return t.conform(ctx, schema, nil, "skaffold.yaml")
}

func (t *renderer) rejectInvalid(ctx context.Context) error {
	var errs []error
	for setting, says := range invalidValues {
		_, err := t.render(ctx, "--set", setting)
		if err == nil {
			errs = append(errs, fmt.Errorf("%s is accepted", setting))
		} else if !strings.Contains(err.Error(), says) {
			errs = append(errs, fmt.Errorf("%s is rejected, but the message does not contain %q: %w", setting, says, err))
		}
	}
	return errors.Join(errs...)
}

// repeatable checks that two renderings of the manifests that Helm stores with a release are equal and contain no
// generated secret, because a rollback applies the stored manifests again. Helm's hooks are not among them.
func (t *renderer) repeatable(ctx context.Context) error {
	var texts [2]string
	for i := range texts {
		text, err := t.template(ctx, "--no-hooks")
		if err != nil {
			return err
		}
		texts[i] = text
	}
	if texts[0] != texts[1] || secretValue.MatchString(texts[0]) {
		return errors.New("a generated secret is a part of the release: a rollback or a second rendering would change it")
	}
	return nil
}

// pushed checks that the chart can be installed from a registry to which it was pushed.
func (t *renderer) pushed(ctx context.Context) error {
	server := httptest.NewServer(registry.New(registry.Logger(slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo))))
	defer server.Close()
	folder, err := os.MkdirTemp("", "baari-chart-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	pack := t.r.Command(ctx, "", t.helm, "package", filepath.FromSlash(chart), "--destination", folder)
	if _, err := stack.Output(pack); err != nil {
		return err
	}
	packed, err := filepath.Glob(filepath.Join(folder, "baari-*.tgz"))
	if err != nil || len(packed) != 1 {
		return fmt.Errorf("helm package wrote %v: %w", packed, err)
	}
	charts := "oci://" + strings.TrimPrefix(server.URL, "http://") + "/charts"
	if _, err := stack.Output(t.r.Command(ctx, "", t.helm, "push", packed[0], charts, "--plain-http")); err != nil {
		return err
	}
	at := charts + "/baari"
	text, err := stack.Output(t.r.Command(ctx, "", t.helm, "template", at, "--plain-http", "--kube-version", kubeVersion))
	if err == nil && !strings.Contains(text, "kind: Deployment") {
		err = fmt.Errorf("%s renders no Deployment", at)
	}
	return err
}

// example returns the path of the committed rendering for a values file in charts/baari/ci, or "" for other files.
func (t *renderer) example(values string) string {
	name, found := strings.CutPrefix(values, chart+"/ci/")
	if !found {
		return ""
	}
	return filepath.Join(t.r.Root, filepath.FromSlash(chart), "examples", strings.Replace(name, "-values", "", 1))
}

func (t *renderer) sameExamples(rendered map[string]string) error {
	var errs []error
	for values, text := range rendered {
		path := t.example(values)
		if path == "" {
			continue
		}
		committed, err := os.ReadFile(path)
		if err != nil || string(committed) != text {
			errs = append(errs, fmt.Errorf("%s differs from what the chart renders; run `go run ./tools/baari generate chart`",
				path))
		}
	}
	return errors.Join(errs...)
}

func generate(ctx context.Context, r *suite.Runner) error {
	helm, err := r.GoProgram(ctx, "helm", helmModule)
	if err != nil {
		return err
	}
	text, err := readme(r.Root)
	if err != nil {
		return err
	}
	if err := os.WriteFile(readmePath(r.Root), []byte(text), 0o644); err != nil {
		return err
	}
	tools := &renderer{r: r, helm: helm}
	rendered, err := tools.renderAll(ctx)
	if err != nil {
		return err
	}
	return tools.writeExamples(rendered)
}

func (t *renderer) writeExamples(rendered map[string]string) error {
	for values, text := range rendered {
		if path := t.example(values); path != "" {
			err := os.WriteFile(path, []byte(text), 0o644)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
