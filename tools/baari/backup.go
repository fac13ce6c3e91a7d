package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/services/operate/backup"
	"baari.dev/services/operate/command"
	"baari.dev/tools/stack"
)

func backupCommand() *cobra.Command {
	options := stack.Options{}
	var file string
	cmd := &cobra.Command{
		Use:   "backup",
		Short: "Back up an installation of this machine into one file",
		Long: `Writes databases and secrets to one compressed file, also while the system is running. The backup contains
every change acknowledged before it began. It contains all secrets: protect it as you protect the data.
The installation records the time and exports the age of its last backup (baari_backup_age_seconds).`,
		Example: `  go run ./tools/baari backup
  go run ./tools/baari backup --to /srv/backup/baari.tar.gz`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := complete(cmd, &options); err != nil {
				return err
			}
			if file == "" {
				file = filepath.Join(options.Data, "backups", time.Now().UTC().Format("20060102T150405Z")+".tar.gz")
			}
			return runBackup(cmd, options, file)
		},
	}
	cmd.Flags().StringVar(&options.Data, "data", "", "data folder of the installation (default .baari in the repository)")
	cmd.Flags().StringVar(&file, "to", "", "file to write (default backups/<time>.tar.gz in the data folder)")
	return cmd
}

// runBackup writes the file and records the backup.
func runBackup(cmd *cobra.Command, options stack.Options, file string) error {
	began := time.Now()
	summary, err := command.WriteFile(file, func(out io.Writer) (backup.Summary, error) {
		return stack.Backup(cmd.Context(), options, out)
	})
	if err != nil {
		return err
	}
	if err := stack.Note(cmd.Context(), options, backup.Copied); err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), command.Describe(file, summary, time.Since(began)))
	return err
}

func restoreCommand() *cobra.Command {
	options := stack.Options{}
	var drillFor string
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Restore a backup into a new data folder",
		Long: `Restores a backup into a data folder that holds no database, and starts a new epoch in every service: changes
committed after the backup are lost, and services and dashboards reload their state. Start the restored system with
the same --data.
For a restore drill, set --drill-for to the data folder of the backed-up installation, which then exports the age of
its last drill (baari_restore_drill_age_seconds).`,
		Example: `  go run ./tools/baari restore .baari/backups/20261120T090000Z.tar.gz --data .baari/restored
  go run ./tools/baari up --data .baari/restored
  go run ./tools/baari restore .baari/backups/20261120T090000Z.tar.gz --data /tmp/drill --drill-for .baari`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("data") {
				return stack.Advice("Set --data to the folder to restore into; it must not hold a database.")
			}
			if err := complete(cmd, &options); err != nil {
				return err
			}
			file, err := os.Open(args[0])
			if err != nil {
				return stack.Advice(fmt.Sprintf("%s cannot be read (%v).", args[0], err))
			}
			defer func() { _ = file.Close() }()
			if err := stack.Restore(cmd.Context(), options, file); err != nil {
				return err
			}
			if err := noteDrill(cmd, drillFor); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "restored; start it with: go run ./tools/baari up --data %s\n", options.Data)
			return err
		},
	}
	cmd.Flags().StringVar(&options.Data, "data", "", "data folder to restore into")
	cmd.Flags().StringVar(&drillFor, "drill-for", "", "data folder of the installation that records a successful drill")
	cmd.AddCommand(drillCommand())
	return cmd
}

// noteDrill records a successful restore drill in an installation. It does nothing if data is empty.
func noteDrill(cmd *cobra.Command, data string) error {
	if data == "" {
		return nil
	}
	options := stack.Options{Data: data}
	if err := complete(cmd, &options); err != nil {
		return err
	}
	return stack.Note(cmd.Context(), options, backup.Restored)
}
