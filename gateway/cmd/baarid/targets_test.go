package main

import (
	"slices"
	"strings"
	"testing"

	"baari.dev/services/contract/registry"
	"baari.dev/services/platform/process"
)

// In one process, ports are assigned in the order of targets. Therefore this order must be that of contract/registry.
func TestTheTargetsAreInTheOrderOfTheServices(t *testing.T) {
	names := namesOf(targets())
	if want := append(registry.Names(), "web", "gateway"); !slices.Equal(names, want) {
		t.Errorf("the targets are %v, want %v", names, want)
	}
	if process.InternalPorts != registry.LocalInternalPorts {
		t.Errorf("the operator asks the services on %d and following, they listen on %d", registry.LocalInternalPorts,
			process.InternalPorts)
	}
	for i, target := range targets() {
		if target.Place != i+1 || target.Edge != (target.Name == "gateway") {
			t.Errorf("%s has the place %d, edge %t", target.Name, target.Place, target.Edge)
		}
	}
}

func TestTargetsAreChosenByName(t *testing.T) {
	for names, want := range map[string]string{
		"all": "auth visits directory audit realtime lobby web gateway", "visits": "visits", "gateway,web": "gateway web",
	} {
		group, err := choose(names)
		if got := strings.Join(namesOf(group.Targets), " "); err != nil || got != want || group.Whole != (names == "all") {
			t.Errorf("%s chooses %s, whole %t, %v", names, got, group.Whole, err)
		}
	}
	for _, names := range []string{"", "visit", "visits,", "visits,visits", "all,web"} {
		if group, err := choose(names); err == nil {
			t.Errorf("%q chooses %v", names, namesOf(group.Targets))
		}
	}
}
