package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestEveryCommandHasHelp(t *testing.T) {
	for _, args := range []string{
		"chaos", "chaos mutants", "chaos rolling", "restore drill", "bench", "bench queue", "screenshots",
		"kube test", "voice make", "verify alerts", "seed",
	} {
		var out bytes.Buffer
		cmd := root()
		cmd.SetArgs(append(strings.Fields(args), "--help"))
		cmd.SetOut(&out)
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "Usage:\n  baari "+args) {
			t.Errorf("%s says only %q", args, out.String())
		}
	}
}

func TestInvalidArgumentsAreRejectedBeforeAnythingStarts(t *testing.T) {
	for _, args := range []string{
		"nothing", "part webb", "part", "seed now", "bench queue --profile calm",
	} {
		cmd := root()
		cmd.SetArgs(strings.Fields(args))
		if err := cmd.Execute(); err == nil {
			t.Errorf("%s is accepted", args)
		}
	}
}
