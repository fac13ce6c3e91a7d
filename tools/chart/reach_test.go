package chart

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Hosts of programs whose pods are not among the chart's manifests.
const (
	operatorHost = "baari-pg-rw" // the PostgreSQL of k8s/postgres-operator
	poolerHost   = "pgbouncer"   // see k8s/pgbouncer
)

// layers are the examples whose addresses are compared with their network policies: values files in the order in which
// Helm merges them.
var layers = [][]string{
	{chart + "/ci/default-values.yaml"},
	{chart + "/ci/production-values.yaml"},
	{"k8s/production/values.yaml"},
	{"k8s/production/values.yaml", "k8s/postgres-operator/values.yaml"},
	{"k8s/production/values.yaml", "k8s/pgbouncer/values.yaml"},
	{"k8s/production/values.yaml", "k8s/redis-sentinel/values.yaml"},
	{"k8s/production/values.yaml", "k8s/redis-cluster/values.yaml"},
	{"k8s/production/values.yaml", "k8s/postgres-operator/values.yaml", "k8s/redis-sentinel/values.yaml"},
	{"k8s/production/values.yaml", "k8s/gateway-api/values.yaml"},
	{"k8s/production/values.yaml", "k8s/gitops/values.yaml", "k8s/gitops/values-north.yaml"},
	{"k8s/production/values.yaml", "k8s/gitops/values.yaml", "k8s/gitops/values-south.yaml"},
	{"k8s/postgres-operator/values.yaml"},
	{"k8s/redis-sentinel/values.yaml"},
	{"k8s/redis-cluster/values.yaml"},
	{"k8s/managed/values.yaml"},
	{"k8s/managed/values.yaml", "k8s/gateway-api/values.yaml"},
	{"k8s/dev/values.yaml"},
	{"k8s/test/values.yaml"},
}

// reach renders the chart with each list in layers. It checks that the network policies allow every address that pods
// get, also from the Secrets of k8s/production. A Secret that the chart renders replaces the Secret of that name there.
func (t *renderer) reach(ctx context.Context) error {
	secrets, err := os.ReadFile(filepath.Join(t.r.Root, "k8s", "production", "secrets.yaml"))
	if err != nil {
		return err
	}
	var errs []error
	total := 0
	for _, files := range layers {
		args := []string{"--set", "baarictl.enabled=true", "--is-upgrade"}
		own := string(secrets)
		for _, file := range files {
			args = append(args, "--values", filepath.FromSlash(file))
			if strings.Contains(file, "postgres-operator") {
				own = strings.ReplaceAll(own, "db.example.com", operatorHost)
			}
			if strings.Contains(file, "pgbouncer") {
				own = strings.ReplaceAll(own, "_app:REPLACE@db.example.com:5432", "_app:REPLACE@"+poolerHost+":6432")
			}
		}
		text, err := t.render(ctx, args...)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		checked, err := checkPolicies(own+"\n---\n"+text, outsiders{
			operatorHost: {"cnpg.io/cluster": "baari-pg"}, poolerHost: {"app": poolerHost},
		})
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", strings.Join(files, " and "), err))
		}
		total += checked
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	t.r.Progress.Printf("%d addresses of %d examples are allowed by their network policies", total, len(layers))
	return nil
}
