package main

import (
	"fmt"
	"slices"
	"strings"

	"baari.dev/gateway/embedded"
	"baari.dev/gateway/webserver"
	"baari.dev/services/audit"
	"baari.dev/services/auth"
	"baari.dev/services/directory"
	"baari.dev/services/lobby"
	"baari.dev/services/platform/process"
	"baari.dev/services/realtime"
	"baari.dev/services/visits"
)

// targets returns all targets: the services in the order of contract/registry, which is also the order of their ports,
// then the web server and the gateway.
func targets() []process.Target {
	all := []process.Target{
		auth.Target(), visits.Target(), directory.Target(), audit.Target(), realtime.Target(), lobby.Target(),
		webserver.Target(), embedded.Target(),
	}
	for i := range all {
		all[i].Place = i + 1
	}
	return all
}

func choose(names string) (process.Group, error) {
	all := targets()
	if names == "all" {
		return process.Group{Targets: all, Whole: true}, nil
	}
	var group process.Group
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(all, func(t process.Target) bool { return t.Name == name })
		switch {
		case i < 0:
			return group, fmt.Errorf("%q is no target; the targets are all, %s", name, strings.Join(namesOf(all), ", "))
		case slices.Contains(namesOf(group.Targets), name):
			return group, fmt.Errorf("the target %s is named twice", name)
		}
		group.Targets = append(group.Targets, all[i])
	}
	return group, nil
}

func namesOf(targets []process.Target) (names []string) {
	for _, t := range targets {
		names = append(names, t.Name)
	}
	return names
}
