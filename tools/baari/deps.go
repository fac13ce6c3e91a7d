package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"baari.dev/tools/cli"
	"baari.dev/tools/stack"
)

func depsCommand() *cobra.Command {
	var durable bool
	cmd := &cobra.Command{
		Use:   "deps",
		Short: "Run only PostgreSQL and Redis, for go test",
		Long: `Starts a PostgreSQL without durability and a Redis, and prints their addresses as two export commands.
Paste these into the terminal in which you run go test. The addresses are the same in each run. Ctrl-C stops
both servers. Benchmarks that write need --durable.`,
		Args: cobra.NoArgs,
		RunE: cli.InRepository(func(cmd *cobra.Command, _ []string, root string) error {
			progress := stack.NewProgress(cmd.ErrOrStderr())
			folder := map[bool]string{false: "deps", true: "deps-durable"}[durable]
			data := filepath.Join(root, ".baari", folder)
			servers, err := stack.StartDependencies(cmd.Context(), data, durable, progress)
			if err != nil {
				return err
			}
			defer servers.Stop()
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "export TEST_DATABASE_URL=%s\nexport TEST_REDIS_URL=%s\n",
				servers.Postgres, servers.Redis)
			if err != nil {
				return err
			}
			<-cmd.Context().Done()
			return nil
		}),
	}
	cmd.Flags().BoolVar(&durable, "durable", false, "PostgreSQL keeps what it has acknowledged, as in production")
	return cmd
}
