package main

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"baari.dev/tools/stack"
	"baari.dev/tools/stack/operator"
	"baari.dev/tools/suite"
)

// browserAndNode returns the path of Chromium, and a Node.js new enough for the web's scripts.
func browserAndNode(ctx context.Context, root string, out io.Writer) (string, *stack.Node, error) {
	browser, err := suite.FindChromium(ctx, root, out)
	if err != nil {
		return "", nil, err
	}
	node, err := stack.FindNode(ctx, stack.NewProgress(out))
	return browser, node, err
}

// withSystem starts a system on a temporary data folder behind the embedded gateway and stops it when use returns.
func withSystem(cmd *cobra.Command, root string, seed bool, use func(*stack.Stack) error) error {
	scratch, err := os.MkdirTemp("", "baari-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	system, err := stack.Start(cmd.Context(), stack.Options{
		Root: root, Data: filepath.Join(scratch, "data"), Gateway: stack.Embedded, NoLimits: true,
		Progress: stack.NewProgress(cmd.OutOrStdout()),
	})
	if err != nil {
		return err
	}
	defer system.Stop()
	if seed {
		if err := operator.AddVisits(cmd.Context(), system.Folder().Path()); err != nil {
			return err
		}
	}
	return use(system)
}
