package observe

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"baari.dev/services/operate/command"
)

// documented returns the pages whose commands an operator copies.
func documented(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(root, "services", "docs", "runbooks", "*.md"))
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d runbooks: %v", len(pages), err)
	}
	return append(pages, filepath.Join(root, "services", "docs", "operating.md"),
		filepath.Join(root, "services", "docs", "kubernetes.md"), filepath.Join(root, "services", "docs", "disaster.md"))
}

var (
	inline = regexp.MustCompile("(?s)`((?:kubectl|helm|baarictl) [^`]+)`")
	block  = regexp.MustCompile(`(?m)^ {4,}((?:kubectl|helm|baarictl) (?:.*\\\n)*.*)$`)
)

// commands returns the commands of a page, each in one line.
func commands(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, pattern := range []*regexp.Regexp{inline, block} {
		for _, match := range pattern.FindAllStringSubmatch(string(text), -1) {
			found = append(found, strings.Join(strings.Fields(strings.ReplaceAll(match[1], "\\\n", " ")), " "))
		}
	}
	return found
}

// existing returns the names that the chart's examples and k8s define, as kind/name and component=name.
func existing(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	kind := regexp.MustCompile(`(?m)^kind: (\w+)\nmetadata:\s*(?:\{|\n\s+)name: ([-a-z0-9]+)`)
	component := regexp.MustCompile(`app\.kubernetes\.io/component: ([-a-z]+)`)
	for _, pattern := range []string{"charts/baari/examples/*.yaml", "k8s/*/*.yaml"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range kind.FindAllStringSubmatch(string(text), -1) {
				known[strings.ToLower(match[1])+"/"+match[2]] = true
			}
			for _, match := range component.FindAllStringSubmatch(string(text), -1) {
				known["component="+match[1]] = true
			}
		}
	}
	return known
}

var (
	object   = regexp.MustCompile(`\b(deployment|statefulset|cronjob|job)[/ ](baari-[-a-z]+)`)
	selected = regexp.MustCompile(`app\.kubernetes\.io/(component=[-a-z]+)`)
	manifest = regexp.MustCompile(`(?:-f|--filename) (k8s/\S+\.yaml)`)
	level    = regexp.MustCompile(`grep '?"?([^'| ]+)`)
)

// A command with a wrong name would fail during an incident.
func TestEachCommandOfThePagesNamesWhatExists(t *testing.T) {
	known := existing(t)
	total := 0
	for _, page := range documented(t) {
		for _, line := range commands(t, page) {
			total++
			for _, match := range object.FindAllStringSubmatch(line, -1) {
				made := strings.Contains(line, "create job") && match[1] == "job"
				if !known[match[1]+"/"+match[2]] && !made {
					t.Errorf("%s: there is no %s %s: %s", filepath.Base(page), match[1], match[2], line)
				}
			}
			for _, match := range selected.FindAllStringSubmatch(line, -1) {
				if !known[match[1]] {
					t.Errorf("%s: no pod has %s: %s", filepath.Base(page), match[1], line)
				}
			}
			for _, match := range manifest.FindAllStringSubmatch(line, -1) {
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(match[1]))); err != nil {
					t.Errorf("%s: %v", filepath.Base(page), err)
				}
			}
		}
	}
	if total < 40 {
		t.Errorf("%d commands are all that the pages have", total)
	}
}

// `kubectl logs deployment/...` shows one pod only, and levels in the log are those of slog in JSON.
func TestEachCommandOnLogsReadsEveryReplicaAndALevelThatExists(t *testing.T) {
	for _, page := range documented(t) {
		for _, line := range commands(t, page) {
			if !strings.Contains(line, " logs ") {
				continue
			}
			if !strings.Contains(line, "--selector") || !strings.Contains(line, "--prefix") {
				t.Errorf("%s reads the log of one pod: %s", filepath.Base(page), line)
			}
			levels := []string{`level":"ERROR"`, `level":"WARN"`}
			if match := level.FindStringSubmatch(line); match != nil && !slices.Contains(levels, match[1]) {
				t.Errorf("%s looks for %s, which no line has", filepath.Base(page), match[1])
			}
		}
	}
}

func TestEachCommandInTheClusterNamesItsNamespace(t *testing.T) {
	for _, page := range documented(t) {
		for _, line := range commands(t, page) {
			named := strings.Contains(line, " -n ") || strings.Contains(line, " --namespace ")
			ofCluster := strings.HasPrefix(line, "kubectl create namespace") || strings.HasPrefix(line, "kubectl apply -k")
			ofRegistry := strings.HasPrefix(line, "helm registry ") || strings.HasPrefix(line, "helm package ")
			whole := len(strings.Fields(line)) > 2 // false for the name of a command in a sentence
			if whole && !named && !ofCluster && !ofRegistry && !strings.HasPrefix(line, "baarictl ") {
				t.Errorf("%s: %s", filepath.Base(page), line)
			}
		}
	}
}

var ofOperator = regexp.MustCompile(`(?:^|\s)baarictl ((?:[a-z]+[-a-z]*\s?)+)`)

// baarictl's commands are looked up in the program itself.
func TestEachCommandOfBaarictlExists(t *testing.T) {
	program := &cobra.Command{Use: "baarictl"}
	program.AddCommand(command.All()...)
	for _, page := range documented(t) {
		for _, line := range commands(t, page) {
			for _, match := range ofOperator.FindAllStringSubmatch(strings.ReplaceAll(line, "-- /baarictl", "baarictl"), -1) {
				found, rest, err := program.Find(strings.Fields(match[1]))
				if err != nil || found == program || found.HasSubCommands() && len(rest) > 0 {
					t.Errorf("%s: baarictl has no command %q", filepath.Base(page), match[1])
				}
			}
		}
	}
}
