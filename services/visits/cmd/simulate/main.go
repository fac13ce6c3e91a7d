// Command simulate compares rules of the line in simulated offices, in virtual time, or measures the accuracy of
// forecasts. With replay it reads states of offices from standard input and writes forecasts. It calls the functions of
// packages line and foresight that the service calls. The results are in services/docs/dispatch.md and foresight.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
)

// options are the arguments of the program.
type options struct {
	office string
	policy string
	days   int
	seed   uint64
	noShow float64
	seeds  int // number of runs, with seed, seed+1, …; only for --forecast and the office year
	learn  int // days with forecasts before the first judged day
}

func main() {
	os.Exit(command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// command runs the program and returns the exit status: 0, or 1 if a request of replay was invalid, or 2 for invalid
// arguments and failed input or output.
func command(args []string, in io.Reader, out, errs io.Writer) int {
	var o options
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		_, _ = fmt.Fprint(errs, usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&o.office, "office", "", "small, five, nine, due-week or year (default the first three)")
	flags.StringVar(&o.policy, "policy", "", "early, fcfs, due or strict (default all)")
	flags.IntVar(&o.days, "days", 60, "number of days")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of all random numbers")
	flags.Float64Var(&o.noShow, "no-show", 0.08, "probability that a call is not answered")
	flags.IntVar(&o.seeds, "seeds", 1, "number of seeds from --seed on, with --forecast (pooled) or --office year")
	flags.IntVar(&o.learn, "learn", 40, "number of days to learn from, with --forecast")
	forecast := flags.Bool("forecast", false, "measure the forecasts at joining instead of comparing policies")
	asJSON := flags.Bool("json", false, "print JSON")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	valid := true
	if err = o.check(flags.Args()); err == nil {
		switch {
		case flags.NArg() > 0:
			valid, err = replayAll(in, out)
		case o.office == yearOffice && *asJSON:
			err = printJSON(out, forecastYears(o))
		case o.office == yearOffice:
			err = printYears(out, forecastYears(o))
		case *forecast && *asJSON:
			err = printJSON(out, forecastOffices(o))
		case *forecast:
			err = printAccuracy(out, forecastOffices(o))
		case *asJSON:
			err = printJSON(out, compareRules(o))
		default:
			err = printTable(out, compareRules(o))
		}
	}
	if err != nil {
		fmt.Fprintln(errs, "simulate:", err)
		return 2
	}
	if !valid {
		return 1
	}
	return 0
}

const usage = `Simulates days of three offices in virtual time, with the functions that the visits service calls, and
prints how long visitors wait under each rule: early chooses a consultant at the approval, fcfs is first come,
first served, due is the rule of the product, strict calls the highest class first. All rules have the same visitors
and consultants. The same arguments give the same output. With --forecast it measures instead how the forecasts of the
product are kept at joining the line, and with --office year those of the arrivals of a day before filings are due.
The figures are explained in services/docs/dispatch.md and foresight.md.

With replay it answers forecasts of offices whose state and history are read from the standard input, a request in JSON
on each line; foresight.md describes it. The exit status is 1 after an invalid request, whose answer is an error.

Usage:
  go run ./tools/baari simulate
  go run ./tools/baari simulate --office nine --policy due --days 250 --seed 7 --json
  go run ./tools/baari simulate --forecast --seeds 6
  go run ./tools/baari simulate --office year --seeds 6
  go run ./tools/baari simulate replay <office.json >answer.json

Flags:
`

func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0 && (len(rest) > 1 || rest[0] != "replay"):
		return fmt.Errorf("unknown arguments %q", rest)
	case o.office != "" && o.office != yearOffice && !isSize(o.office):
		return fmt.Errorf("there is no office %q: choose small, five, nine, due-week or year", o.office)
	case o.policy != "" && !slices.ContainsFunc(rules(), func(r rule) bool { return r.name == o.policy }):
		return fmt.Errorf("there is no policy %q: choose early, fcfs, due or strict", o.policy)
	case o.days < 1 || o.days > 3650:
		return fmt.Errorf("days is %d: choose 1 to 3650", o.days)
	case o.seeds < 1 || o.seeds > 100:
		return fmt.Errorf("seeds is %d: choose 1 to 100", o.seeds)
	case o.learn < 0 || o.learn > 3650:
		return fmt.Errorf("learn is %d: choose 0 to 3650", o.learn)
	case !(o.noShow >= 0 && o.noShow <= 1):
		return fmt.Errorf("no-show is %v: choose 0 to 1", o.noShow)
	}
	return nil
}

// compareRules simulates the chosen offices and rules. All rules of an office are simulated on the same days.
func compareRules(o options) (results []result) {
	for i, s := range sizes {
		if !s.chosen(o) {
			continue
		}
		tallies := simulateOffice(s, o, rand.New(rand.NewPCG(o.seed, uint64(i))))
		for k, by := range rules() {
			if o.policy != "" && o.policy != by.name {
				continue
			}
			r := tallies[k].result()
			r.Office, r.Policy, r.Days, r.Seed = s.name, by.name, o.days, o.seed
			results = append(results, r)
		}
	}
	return results
}

// simulateOffice returns a tally for each rule, in the order of rules. All tallies are of the same days.
func simulateOffice(s size, o options, random *rand.Rand) []*tally {
	drawn := newOffice(s, random)
	tallies := make([]*tally, len(rules()))
	for i := range tallies {
		tallies[i] = &tally{}
	}
	for n := range o.days {
		d := newDay(drawn, n, o.noShow, random)
		for i, by := range rules() {
			if o.policy == "" || o.policy == by.name {
				tallies[i].add(simulate(drawn, d, by))
			}
		}
	}
	return tallies
}

func isSize(name string) bool {
	return slices.ContainsFunc(sizes, func(s size) bool { return s.name == name })
}
