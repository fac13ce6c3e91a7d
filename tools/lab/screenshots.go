package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"baari.dev/tools/stack"
)

func screenshotsCommand() *cobra.Command {
	var folder, only string
	cmd := &cobra.Command{
		Use:   "screenshots",
		Short: "Take a screenshot of every screen and state, in both themes, at desktop and phone width",
		Long: `Starts a system with sample visits, opens every screen in a browser in each of its states (empty, loading,
error, lost connection, dialogs, form errors, toasts) and writes screenshots of it, 1440, 1280 and 390 pixels
wide, light and dark. index.html in the folder shows them side by side. It takes long; --only selects a few.`,
		Example: `  go run ./tools/baari screenshots
  go run ./tools/baari screenshots --out pictures --only 'pa, '`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return takeScreenshots(cmd, folder, only) },
	}
	flags := cmd.Flags()
	flags.StringVar(&folder, "out", "", "folder for the screenshots (default .baari/screenshots in the repository)")
	flags.StringVar(&only, "only", "", "take only screenshots whose title matches, such as 'pa, lost-connection, 390 px'")
	return cmd
}

func takeScreenshots(cmd *cobra.Command, folder, only string) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	root, err := stack.FindRoot()
	if err != nil {
		return err
	}
	if folder == "" {
		folder = filepath.Join(root, ".baari", "screenshots")
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	browser, node, err := browserAndNode(ctx, root, out)
	if err != nil {
		return err
	}
	return withSystem(cmd, root, true, func(system *stack.Stack) error {
		photographer := node.Command(ctx, filepath.Join(root, "web"), "playwright", "test", "--config", "screenshots")
		if only != "" {
			photographer.Args = append(photographer.Args, "--grep", only)
		}
		photographer.Env = append(photographer.Env, "BAARI_URL="+system.URL(), "BAARI_ACCOUNTS="+system.Folder().Accounts(),
			"BAARI_CHROMIUM="+browser, "BAARI_PICTURES="+folder)
		photographer.Stdout, photographer.Stderr = out, os.Stderr
		return stack.Run(photographer)
	})
}
