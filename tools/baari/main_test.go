package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestEveryCommandHasHelp(t *testing.T) {
	for _, args := range [][]string{
		{"up"}, {"test"}, {"verify"}, {"verify", "alerts"}, {"generate"}, {"deps"}, {"admin", "create"},
		{"simulate"},
	} {
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
		{"up", "now"}, {"up", "--gateway", "kong"}, {"test", "webb"}, {"admin", "create"}, {"nothing"}, {"simulate", "all"},
	} {
		cmd := root()
		cmd.SetArgs(args)
		if err := cmd.Execute(); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
