package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"baari.dev/services/operate"
	"baari.dev/services/operate/advice"
	"baari.dev/services/operate/backup"
)

// timestamp is the layout of a backup's default name.
const timestamp = "20060102T150405Z"

func backupCommand() *cobra.Command {
	var data, to string
	cmd := &cobra.Command{
		Use:   "backup",
		Short: "Back up the databases of an installation",
		Long: `Writes a copy of every database, also while the system is running, and records the time: audit exports the
age of the last backup (baari_backup_age_seconds).

With ADMIN_DATABASE_URL or ADMIN_DATABASE_URL_FILE, the address of a role that can read all databases, it calls
pg_dump and writes a folder with one file per database. The copy does not contain the secrets of the installation:
keep AUDIT_KEY apart, without it a restored audit trail cannot be verified.

With --data it copies the data folder of a running system on this machine into one compressed file that contains the
secrets: protect it as you protect the data.`,
		Example: `  baarictl backup --to /backups/20261120
  baarictl backup --data .baari --to /srv/backup/baari.tar.gz`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			admin, err := operate.Administrator(data)
			if err != nil {
				return err
			}
			if to == "" {
				to = defaultName(data, time.Now())
			}
			began := time.Now()
			if data == "" {
				if err := backup.Dump(cmd.Context(), admin, to); err != nil {
					return err
				}
				return say(cmd.OutOrStdout(), "%s: written in %s.", to, time.Since(began).Round(time.Millisecond))
			}
			summary, err := writeFile(to, func(out io.Writer) (backup.Summary, error) {
				return backup.Write(cmd.Context(), admin, data, out)
			})
			if err != nil {
				return err
			}
			if err := backup.RecordIn(cmd.Context(), admin, backup.Copied); err != nil {
				return err
			}
			return say(cmd.OutOrStdout(), "%s", describe(to, summary, time.Since(began)))
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "data folder of a running system on this machine")
	cmd.Flags().StringVar(&to, "to", "",
		"folder to write (default baari-<time>), with --data file (default backups/<time>.tar.gz in that folder)")
	return cmd
}

// defaultName returns the path of a backup without --to.
func defaultName(data string, now time.Time) string {
	at := now.UTC().Format(timestamp)
	if data != "" {
		return filepath.Join(data, "backups", at+".tar.gz")
	}
	return "baari-" + at
}

// writeFile writes a base backup to a temporary file beside path and renames it when it is complete.
func writeFile(path string, write func(io.Writer) (backup.Summary, error)) (backup.Summary, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return backup.Summary{}, err
	}
	unfinished, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return backup.Summary{}, err
	}
	defer func() { _ = os.Remove(unfinished.Name()) }() // already renamed on success
	summary, err := write(unfinished)
	if err = errors.Join(err, unfinished.Sync(), unfinished.Close()); err != nil {
		return summary, err
	}
	return summary, os.Rename(unfinished.Name(), path)
}

func describe(path string, summary backup.Summary, took time.Duration) string {
	return fmt.Sprintf("%s: %d files, %d MiB before compression, in %s",
		path, summary.Files, summary.Bytes>>20, took.Round(100*time.Millisecond))
}

func restoreCommand() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "restore BACKUP",
		Short: "Restore a backup",
		Long: `Replaces every database by its copy and begins a new epoch in every service: changes committed after the
backup are lost, and services and dashboards reload their state.

With ADMIN_DATABASE_URL or ADMIN_DATABASE_URL_FILE, the address of a role that can create databases, it calls
pg_restore with the folder of a backup. The roles must exist, and all services must be stopped.

With --data it restores the file of a backup into a new data folder of this machine; start the system with the same
--data. After a drill, record it in the installation that was backed up: baarictl record restore-drill.`,
		Example: `  baarictl restore /backups/20261120
  baarictl restore /srv/backup/baari.tar.gz --data /srv/restored`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if data != "" {
				return restoreFolder(cmd, args[0], data)
			}
			admin, err := operate.Administrator("")
			if err != nil {
				return err
			}
			if err := backup.Load(cmd.Context(), admin, args[0]); err != nil {
				return err
			}
			return say(cmd.OutOrStdout(), "Restored %s: start the services.", args[0])
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "new data folder of this machine to restore into")
	return cmd
}

func restoreFolder(cmd *cobra.Command, path, data string) error {
	file, err := os.Open(path)
	if err != nil {
		return advice.Advice(fmt.Sprintf("%s cannot be read (%v).", path, err))
	}
	defer func() { _ = file.Close() }()
	if err := backup.Read(cmd.Context(), file, data); err != nil {
		return err
	}
	return say(cmd.OutOrStdout(), "Restored %s: start it with `go run ./tools/baari up --data %s`.", path, data)
}

// operations has the operation for each argument of `record`.
var operations = map[string]backup.Operation{"backup": backup.Copied, "restore-drill": backup.Restored}

func recordCommand() *cobra.Command {
	var data string
	cmd := &cobra.Command{
		Use:   "record backup|restore-drill",
		Short: "Record that a backup or a restore drill is done now",
		Long: `Records the time of a backup that another program has made, or of a restore drill. Audit exports the ages
(baari_backup_age_seconds, baari_restore_drill_age_seconds), on which alerts depend. It connects to the server of
ADMIN_DATABASE_URL or ADMIN_DATABASE_URL_FILE, or with --data to that of a running system on this machine.`,
		Example:   `  baarictl record restore-drill`,
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"backup", "restore-drill"},
		RunE: func(cmd *cobra.Command, args []string) error {
			admin, err := operate.Administrator(data)
			if err != nil {
				return err
			}
			if err := backup.RecordIn(cmd.Context(), admin, operations[args[0]]); err != nil {
				return err
			}
			return say(cmd.OutOrStdout(), "Recorded: %s.", args[0])
		},
	}
	dataFlag(cmd, &data)
	return cmd
}

func waitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "wait",
		Short: "Wait until the process is terminated, so that `kubectl exec` can run commands in its pod",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			<-cmd.Context().Done()
			return nil
		},
	}
}

func installCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "install FOLDER",
		Short: "Copy this program into a folder, for a container with PostgreSQL's client programs",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return install(cmd.Context(), args[0])
		},
	}
}

func install(ctx context.Context, folder string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(self)
	if err = errors.Join(err, ctx.Err()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, filepath.Base(self)), text, 0o755) //nolint:gosec // others run it
}
