// Package observe holds the alert rules and dashboards of k8s/monitoring against a real Prometheus that watches a real system.
package observe
