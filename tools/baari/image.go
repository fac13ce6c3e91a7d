package main

import (
	"fmt"
	"os/exec"
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
	cmd.AddCommand(imagePushCommand())
	return cmd
}

func imagePushCommand() *cobra.Command {
	options := image.Options{}
	var chart bool
	cmd := &cobra.Command{
		Use:   "push REPOSITORY [name...]",
		Short: "Build the images for amd64 and arm64, and push them and the chart to a registry",
		Long: `Builds the images for each architecture and pushes them as REPOSITORY/NAME:TAG, an index each, with the bill
of materials (CycloneDX) as its referrer; then the chart as oci://REPOSITORY/charts/baari, which needs helm on PATH.
The credentials are those of docker login, podman login or helm registry login. It prints each image's digest, for
image.digests of the chart's values and for signing.`,
		Example: `  go run ./tools/baari image push registry.example.com/baari
  go run ./tools/baari image push localhost:5000/baari visits web --tag 0.1.1 --architecture amd64 --chart=false`,
		Args: cobra.MinimumNArgs(1),
		RunE: inRepository(func(cmd *cobra.Command, args []string, root string) error {
			options.Root, options.Progress = root, stack.NewProgress(cmd.ErrOrStderr())
			options.Repository, options.Names = args[0], args[1:]
			if chart {
				helm, err := exec.LookPath("helm")
				if err != nil {
					return stack.Advice("The chart is pushed by helm, which is not on PATH: install it, or --chart=false.")
				}
				options.Helm = helm
			}
			pushed, err := image.Push(cmd.Context(), options)
			for _, one := range pushed {
				_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s@%s\n", one.Reference, one.Digest)
			}
			return err
		}),
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&options.Tags, "tag", []string{"0.1.0"}, "tag; may be given several times")
	flags.StringSliceVar(&options.Architectures, "architecture", []string{"amd64", "arm64"}, "architectures of each image")
	flags.BoolVar(&options.PlainHTTP, "plain-http", false, "the registry has no TLS (not needed for localhost)")
	flags.BoolVar(&chart, "chart", true, "push the chart, too")
	return cmd
}
