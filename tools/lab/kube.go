package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"baari.dev/tools/cli"
	"baari.dev/tools/kube"
	"baari.dev/tools/stack"
)

func kubeCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "kube", Short: "Test an installation on Kubernetes"}
	options := kube.Options{}
	test := &cobra.Command{
		Use:   "test",
		Short: "Install Baari in the cluster of KUBECONFIG and test upgrades and failures under load",
		Long: `Installs the chart into a new namespace and checks under load that an upgrade, a rollback, scaling, and the
death of each pod lose no acknowledged visit, no event of an open stream and no audit record. During an upgrade,
a rollback and the loss of Redis, no request may fail.

The cluster needs the images with both tags, and an ingress controller. kubectl and helm must be on PATH.`,
		Example: `  go run ./tools/baari kube test --values values.yaml --url http://baari.test --ingress 192.0.2.10:80`,
		Args:    cobra.NoArgs,
		RunE: cli.InRepository(func(cmd *cobra.Command, _ []string, root string) error {
			options.Chart, options.Progress = filepath.Join(root, "charts", "baari"), stack.NewProgress(cmd.OutOrStdout())
			return kube.Run(cmd.Context(), options)
		}),
	}
	flags := test.Flags()
	flags.StringVar(&options.Namespace, "namespace", "baari-test", "namespace that the test creates and deletes")
	flags.StringArrayVar(&options.Values, "values", nil, "file with values for the chart; may be given several times")
	flags.StringVar(&options.From, "from-chart", "", "folder of the chart to install first, of an earlier version")
	flags.StringArrayVar(
		&options.Before, "before", nil,
		"file with manifests to apply first, such as Secrets named by the values; may be given several times",
	)
	flags.StringVar(&options.URL, "url", "http://baari.test", "address of the site, through the ingress")
	flags.StringVar(
		&options.Ingress, "ingress", "", "host:port of the ingress, if the name of --url does not resolve to it",
	)
	flags.StringVar(&options.Tag, "tag", "0.2.0", "tag of the images to install")
	flags.StringVar(&options.Next, "next", "0.2.1", "tag of the images to upgrade to")
	flags.StringSliceVar(
		&options.Only, "only", nil, "run only the steps whose names contain this, such as killed or upgrade",
	)
	flags.IntVar(&options.Rate, "rate", 30, "requests a second")
	flags.IntVar(&options.Streams, "streams", 2, "open live streams")
	flags.StringArrayVar(
		&options.Failovers, "failover", nil,
		"further step NAME=COMMAND: a shell command that replaces PostgreSQL by its standby; may be given several times",
	)
	flags.StringArrayVar(
		&options.Restarts, "restart", nil,
		"further step NAME=COMMAND: a shell command that restarts what is before PostgreSQL; may be given several times",
	)
	flags.BoolVar(&options.Keep, "keep", false, "keep the installation and its namespace")
	cmd.AddCommand(test)
	return cmd
}
