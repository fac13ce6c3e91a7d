package observe

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/prometheus/client_golang/api"
	prometheus "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// Prometheus is a client of a running Prometheus.
type Prometheus struct{ api prometheus.API }

// Open returns a client of the Prometheus at an address.
func Open(address string) (*Prometheus, error) {
	client, err := api.NewClient(api.Config{Address: address})
	if err != nil {
		return nil, fmt.Errorf("speak to Prometheus: %w", err)
	}
	return &Prometheus{prometheus.NewAPI(client)}, nil
}

// Values evaluates a query at the given time. It omits NaN, the result of zero divided by zero.
func (p *Prometheus) Values(ctx context.Context, query string, at time.Time) ([]*model.Sample, error) {
	found, _, _, err := p.api.Query(ctx, query, at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", query, err)
	}
	vector, ok := found.(model.Vector)
	if !ok {
		return nil, fmt.Errorf("%s: is a %s", query, found.Type())
	}
	var numbers []*model.Sample
	for _, sample := range vector {
		if !math.IsNaN(float64(sample.Value)) {
			numbers = append(numbers, sample)
		}
	}
	return numbers, nil
}

// Firing returns the severity of each firing alert, keyed by name.
func (p *Prometheus) Firing(ctx context.Context) (map[string]string, error) {
	found, err := p.api.Alerts(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the alerts: %w", err)
	}
	firing := map[string]string{}
	for _, alert := range found.Alerts {
		if alert.State == prometheus.AlertStateFiring {
			firing[string(alert.Labels[model.AlertNameLabel])] = string(alert.Labels["severity"])
		}
	}
	return firing, nil
}
