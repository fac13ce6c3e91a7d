package command

import (
	"github.com/spf13/cobra"

	"baari.dev/services/contract"
	"baari.dev/services/operate"
)

// auditCommand returns `audit verify`.
func auditCommand() *cobra.Command {
	parent := &cobra.Command{Use: "audit", Short: "Verify the audit trail of an installation"}
	var anchors []string
	var data string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Verify the audit trail and name the first record that was changed or removed",
		Long: `Verifies the chain of the audit trail from its first record to its head. The trail must also contain the
anchors that directory has stored, one per minute; a trail that was rebuilt with the key, or truncated, does not.
Further anchors can be taken from the log of audit. The exit status is 0 for a trail that is whole and 1 for a
broken one.

` + servicesHelp,
		Example: example("audit verify", "audit verify --anchor 1200:5f2c..."),
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return verifyTrail(cmd, data, anchors)
		},
	}
	cmd.Flags().StringArrayVar(&anchors, "anchor", nil, "an anchor from the log, N:DIGEST; may be given several times")
	dataFlag(cmd, &data)
	parent.AddCommand(cmd)
	return parent
}

// verifyTrail verifies the audit trail through the installation's service audit and prints the result in one line. It
// returns ErrBroken for a trail that is not whole.
func verifyTrail(cmd *cobra.Command, data string, anchors []string) error {
	installation, err := operate.Find(data)
	if err != nil {
		return err
	}
	var parsed []contract.AuditAnchor
	for _, text := range anchors {
		anchor, err := operate.ParseAnchor(text)
		if err != nil {
			return err
		}
		parsed = append(parsed, anchor)
	}
	trail, err := installation.VerifyTrail(cmd.Context(), parsed...)
	if err != nil {
		return err
	}
	if err := say(cmd.OutOrStdout(), "%s", trail); err != nil || trail.Whole {
		return err
	}
	return ErrBroken
}
