package main

import (
	"github.com/spf13/cobra"

	"baari.dev/tools/stack"
)

func auditCommand() *cobra.Command {
	audit := &cobra.Command{
		Use:   "audit",
		Short: "Verify the audit trail of an installation on this machine",
	}
	var anchors []string
	options := stack.Options{}
	verify := &cobra.Command{
		Use:   "verify",
		Short: "Verify the audit trail and name the first record that was changed or removed",
		Long: `Verifies the chain of the audit trail from its first record to its head. The system may be running or stopped.
The trail must also contain the anchors that directory has stored, one per minute; a trail that was rebuilt with
the key, or truncated, does not. Further anchors can be taken from the log of audit.`,
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
	flags.StringArrayVar(&anchors, "anchor", nil, "an anchor from the log, N:DIGEST; may be given several times")
	flags.StringVar(&options.Data, "data", "", "data folder of the installation (default .baari in the repository)")
	audit.AddCommand(verify)
	return audit
}
