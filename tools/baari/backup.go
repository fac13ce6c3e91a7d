package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/tools/backup"
	"baari.dev/tools/chaos"
	"baari.dev/tools/stack"
)

func backupCommand() *cobra.Command {
	options := stack.Options{}
	var file string
	cmd := &cobra.Command{
		Use:   "backup",
		Short: "Copy an installation of this machine into one file",
		Long: `Copies databases and secrets into one compressed file, also while the system runs: everything that was
acknowledged before the backup began is in it. The file can open everything: keep it as you keep the data.
The time is noted in the installation, which exports the age of its last backup (baari_backup_age_seconds).`,
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

// runBackup writes beside the file's place and moves it there when it is whole.
func runBackup(cmd *cobra.Command, options stack.Options, file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	unfinished, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(unfinished.Name()) }() // gone already after the rename
	began := time.Now()
	summary, err := stack.Backup(cmd.Context(), options, unfinished)
	if err = errors.Join(err, unfinished.Sync(), unfinished.Close()); err != nil {
		return err
	}
	if err := os.Rename(unfinished.Name(), file); err != nil {
		return err
	}
	if err := stack.Note(cmd.Context(), options, backup.Copied); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, %d MiB before compression, in %s\n",
		file, summary.Files, summary.Bytes>>20, time.Since(began).Round(100*time.Millisecond))
	return err
}

func restoreCommand() *cobra.Command {
	options := stack.Options{}
	var drillFor string
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Make an installation out of a backup, in a data folder of its own",
		Long: `Unpacks a backup into a data folder that holds no database, and begins a new epoch in every service:
what was committed after the backup is gone, and services and dashboards are told to start again from what is there.
Start the restored system with the same --data.
As a drill, to see that a backup can be restored, name with --drill-for the data folder of the installation that the
backup is of: it then exports the age of its last drill (baari_restore_drill_age_seconds).`,
		Example: `  go run ./tools/baari restore .baari/backups/20261120T090000Z.tar.gz --data .baari/restored
  go run ./tools/baari up --data .baari/restored
  go run ./tools/baari restore .baari/backups/20261120T090000Z.tar.gz --data /tmp/drill --drill-for .baari`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("data") {
				return stack.Advice("Say with --data where to restore to: a folder that holds no database.")
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
	cmd.Flags().StringVar(&drillFor, "drill-for", "", "data folder of the installation that is told of a successful drill")
	cmd.AddCommand(drillCommand())
	return cmd
}

// noteDrill tells an installation that its backup could be restored.
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

func drillCommand() *cobra.Command {
	options := chaos.Options{}
	var visits int64
	cmd := &cobra.Command{
		Use:   "drill",
		Short: "Back up a working office of a million visits, restore it on another port, and hold it against the promises",
		Long: `Starts an office of its own, puts a million past visits into it, backs it up while robots work at forty dashboards, stops it,
restores the backup in another folder and on another port, and has everybody go on there. Tells how long the backup took and how long
the office was away, and whether every dashboard was told to start again and the promises hold.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place(cmd, &options, "drill"); err != nil {
				return err
			}
			report, err := chaos.Drill(cmd.Context(), options, visits)
			if err != nil {
				return err
			}
			report.Print(cmd.OutOrStdout())
			if !report.Valid() {
				return errBroken
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&options.Data, "data", "", "folder for the data (default .baari/drill in the repository); the restored office lies beside it")
	cmd.Flags().Int64Var(&visits, "visits", 1_000_000, "how many past visits the office has")
	cmd.Flags().Float64Var(&options.Rate, "rate", 30, "calls a second of all robots together")
	cmd.Flags().Uint64Var(&options.Seed, "seed", rand.Uint64N(1_000_000), "of what the robots choose")
	return cmd
}
