// Package observe checks the alert rules and dashboards of k8s/monitoring with a real Prometheus that scrapes a real
// system.
package observe
