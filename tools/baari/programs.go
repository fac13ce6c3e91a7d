package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"baari.dev/services/contract/registry"
	"baari.dev/tools/cli"
	"baari.dev/tools/stack"
)

const (
	baarictl = "baari.dev/services/operate/cmd/baarictl"
	simulate = "baari.dev/services/visits/cmd/simulate"
)

// program is a command that runs a program of its own, built when it is called, so that the launcher links less.
type program struct {
	name, pack string
	args       string // arguments before those of the user
	data       folder
	short      string
}

// folder says which data folder a command of baarictl gets if the user names none, and what must be running on it.
type folder int

const (
	noFolder   folder = iota
	ofServices        // .baari, unless the environment names an installation
	ofServers         // .baari; PostgreSQL runs meanwhile
	restored          // none; a folder that the user names is filled, then PostgreSQL is started on it once
)

var programs = []program{
	{"chaos", stack.Lab, "chaos", noFolder, "Inject faults into a running office, and check that nothing was lost"},
	{"bench", stack.Lab, "bench", noFolder, "Measure a whole system"},
	{
		"screenshots", stack.Lab, "screenshots", noFolder,
		"Take a screenshot of every screen and state, in both themes, at desktop and phone width",
	},
	{"kube", stack.Lab, "kube", noFolder, "Test an installation on Kubernetes"},
	{"voice", stack.Lab, "voice", noFolder, "Make the voice packs of the screens in the waiting room"},
	{"seed", stack.Lab, "seed", noFolder, "Add sample visits of three weeks and this morning to a running system"},
	{"simulate", simulate, "", noFolder, "Compare rules of the line in simulated offices; replay: forecast an office"},
	{"admin", baarictl, "admin", ofServices, "Manage the administrators of an installation"},
	{"sessions", baarictl, "sessions", ofServices, "End sessions"},
	{"audit", baarictl, "audit", ofServices, "Verify the audit trail of an installation"},
	{"subject", baarictl, "subject", ofServices, "Export or erase the stored data of a person"},
	{
		"breach-report", baarictl, "breach-report", ofServices,
		"Report whose data staff could read in a period, who read it, and what was exported",
	},
	{"backup", baarictl, "backup", ofServers, "Back up an installation of this machine into one file"},
	{"record", baarictl, "record", ofServers, "Record that a backup or a restore drill is done now"},
	{"restore", baarictl, "restore", restored, "Restore a backup into a new data folder"},
}

// inner are the subcommands of other commands, keyed by the command's name.
var inner = map[string][]program{
	"restore": {{
		"drill", stack.Lab, "restore drill", noFolder,
		"Back up a running office with a million visits, restore it on another port, and check the history",
	}},
	"verify": {{
		"alerts", stack.Lab, "verify alerts", noFolder,
		"Trigger every alert and check that Prometheus lists it as firing",
	}},
}

// addPrograms adds the programs to the launcher's commands, and the subcommands in inner to their commands.
func addPrograms(root *cobra.Command) {
	for _, one := range programs {
		root.AddCommand(one.command())
	}
	for _, parent := range root.Commands() {
		for _, one := range inner[parent.Name()] {
			parent.AddCommand(one.command())
		}
	}
}

// command returns the command, whose flags the program itself reads.
func (p program) command() *cobra.Command {
	return &cobra.Command{
		Use: p.name, Short: p.short, DisableFlagParsing: true,
		RunE: p.run,
	}
}

func (p program) run(cmd *cobra.Command, args []string) error {
	options, folders := stack.Options{}, flagsOf("--data", args)
	named := len(folders) > 0
	if named {
		options.Data = folders[len(folders)-1]
	}
	if err := cli.Complete(cmd, &options); err != nil {
		return err
	}
	path, err := stack.BuildProgram(cmd.Context(), options, p.pack)
	if err != nil {
		return err
	}
	all := append(strings.Fields(p.args), args...)
	if !named && (p.data == ofServers || p.data == ofServices && !configured()) {
		all = append(all, "--data="+options.Data)
	}
	run := func() error {
		child := exec.CommandContext(cmd.Context(), path, all...)
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, cmd.OutOrStdout(), cmd.ErrOrStderr()
		return cli.Foreground(child)
	}
	verifies := p.name == "audit" && len(args) > 0 && args[0] == "verify"
	switch {
	case slices.Contains(args, "--help") || slices.Contains(args, "-h"):
	case p.data == ofServers:
		return stack.WithServers(cmd.Context(), options, run)
	// Without running services, the launcher starts the product's own check of the trail.
	case verifies && !configured() && !stack.IsRunning(options.Data):
		return stack.VerifyAudit(cmd.Context(), options, cmd.OutOrStdout(), flagsOf("--anchor", args)...)
	case p.data == restored && named:
		return stack.Restore(cmd.Context(), options, run)
	}
	return run()
}

// configured reports whether the environment names the address of any service, for baarictl.
func configured() bool {
	return slices.ContainsFunc(registry.Services, func(s registry.Service) bool { return os.Getenv(s.Variable()) != "" })
}

// flagsOf returns the values of a flag that may be given several times.
func flagsOf(flag string, args []string) (values []string) {
	for i, arg := range args {
		if value, found := strings.CutPrefix(arg, flag+"="); found {
			values = append(values, value)
		} else if arg == flag && i+1 < len(args) {
			values = append(values, args[i+1])
		}
	}
	return values
}
