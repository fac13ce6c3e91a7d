package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"baari.dev/tools/stack"
)

func TestEveryCommandHasHelp(t *testing.T) {
	for _, args := range [][]string{{"up"}, {"test"}, {"verify"}, {"generate"}, {"deps"}} {
		var out bytes.Buffer
		cmd := root()
		cmd.SetArgs(append(args, "--help"))
		cmd.SetOut(&out)
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(out.String(), "\n"); lines < 5 || !strings.Contains(out.String(), "Usage:") {
			t.Errorf("%v says only %q", args, out.String())
		}
	}
}

func TestInvalidArgumentsAreRejectedBeforeAnythingStarts(t *testing.T) {
	for _, args := range [][]string{
		{"up", "now"}, {"up", "--gateway", "kong"}, {"test", "webb"}, {"nothing"}, {"generate", "all"},
	} {
		cmd := root()
		cmd.SetArgs(args)
		if err := cmd.Execute(); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}

// The launcher passes all arguments after the name of a program to it, including flags that the launcher does not know.
func TestEveryProgramIsAPackageOfTheRepositoryAndReadsItsOwnFlags(t *testing.T) {
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(programs, slices.Concat(slices.Collect(maps.Values(inner))...))
	for _, one := range all {
		folder := strings.TrimPrefix(one.pack, "baari.dev/")
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(folder), "main.go")); err != nil {
			t.Errorf("%s: %v", one.name, err)
		}
		if cmd := one.command(); !cmd.DisableFlagParsing || cmd.Short == "" {
			t.Errorf("%s reads flags itself, or has no description", one.name)
		}
	}
}

func TestTheDataFolderOfAProgramIsReadFromItsFlags(t *testing.T) {
	for args, want := range map[string]string{
		"backup": "", "backup --to x": "", "backup --data /srv/a --to x": "/srv/a", "restore f --data=/srv/b": "/srv/b",
		"backup --data": "",
	} {
		if got := strings.Join(flagsOf("--data", strings.Fields(args)), " "); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
