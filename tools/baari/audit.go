package main

import (
	"github.com/spf13/cobra"

	"baari.dev/tools/stack"
)

func auditCommand() *cobra.Command {
	audit := &cobra.Command{
		Use:   "audit",
		Short: "Look after the audit trail of an installation on this machine",
	}
	var anchors []string
	options := stack.Options{}
	verify := &cobra.Command{
		Use:   "verify",
		Short: "Walk the audit trail and name the first record that was changed, removed or cut off",
		Long: `Walks the chain of the audit trail from its first record to its head.
Works while the system runs and while it does not. The trail must also hold the heads that directory has kept of it,
one a minute: one rebuilt by somebody who has the key, or whose end was cut off, does not. Heads that the log of audit
shows can be given as further anchors.`,
		Example: `  go run ./tools/baari audit verify`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			return stack.VerifyAudit(cmd.Context(), options, cmd.OutOrStdout(), anchors...)
		},
	}
	flags := verify.Flags()
	flags.StringArrayVar(&anchors, "anchor", nil, "a head as the log shows it, N:DIGEST; may be given several times")
	flags.StringVar(&options.Data, "data", "", "data folder of the installation (default .baari in the repository)")
	audit.AddCommand(verify)
	return audit
}
