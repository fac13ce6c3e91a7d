package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"baari.dev/tools/image"
	"baari.dev/tools/stack"
)

func imageCommand() *cobra.Command {
	options := image.Options{}
	cmd := &cobra.Command{
		Use:   "image [name...]",
		Short: "Build the container images, without a container engine",
		Long: `Builds the images of the services, of the web and of baarictl, each as a tarball that every container engine
can load, with its bill of materials (CycloneDX). Builds are reproducible: the same sources give the same
digest. There is no base image, so only the programs' own dependencies are downloaded. The image
traefik is built only when it is named.`,
		Example: `  go run ./tools/baari image
  go run ./tools/baari image visits --out /tmp/images --tag 1.2.0
  docker load -i .baari/images/visits.tar`,
		RunE: inRepository(func(cmd *cobra.Command, names []string, root string) error {
			options.Root, options.Names, options.Progress = root, names, stack.NewProgress(cmd.ErrOrStderr())
			if options.Out == "" {
				options.Out = filepath.Join(root, ".baari", "images")
			}
			built, err := image.Build(cmd.Context(), options)
			if err != nil {
				return err
			}
			for _, one := range built {
				_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s  %s  %.1f MB\n", one.File, one.Digest, float64(one.Size)/1e6)
			}
			return nil
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&options.Out, "out", "", "folder for the images (default .baari/images in the repository)")
	flags.StringVar(&options.Repository, "repository", "baari.local", "prefix of the image names")
	flags.StringSliceVar(&options.Tags, "tag", []string{"0.1.0"}, "tag; may be given several times")
	return cmd
}
