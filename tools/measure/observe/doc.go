// Package observe checks the alert rules and dashboards of k8s/monitoring with a real Prometheus and a real system.
package observe
