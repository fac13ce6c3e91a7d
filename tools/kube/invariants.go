package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// invariants compares the stored data with the acknowledged changes, after all steps.
func (r *run) invariants(ctx context.Context) error {
	var today struct {
		Visits []struct {
			ID    string
			Token string
		}
	}
	if err := r.office.Users["admin"].Call(ctx, http.MethodGet, "/api/visits/today", nil, &today); err != nil {
		return err
	}
	var broken []error
	var stored ids
	tokens := map[string]bool{}
	for _, v := range today.Visits {
		stored.add(v.ID)
		tokens[v.Token] = true
	}
	if lost := stored.missing(&r.office.made); lost > 0 {
		broken = append(broken, fmt.Errorf("%d acknowledged visits are not stored", lost))
	}
	for n := range len(today.Visits) {
		if token := fmt.Sprintf("T-%03d", n+1); !tokens[token] {
			broken = append(broken, fmt.Errorf("of the tokens of %d visits %s is missing", len(today.Visits), token))
		}
	}
	if err := r.audited(ctx, len(today.Visits)); err != nil {
		broken = append(broken, err)
	}
	if err := r.verifyTrail(ctx); err != nil {
		broken = append(broken, err)
	}
	if len(broken) == 0 {
		r.Progress.Printf("%d visits stored, numbered without gaps; the audit trail is complete", len(today.Visits))
	}
	return errors.Join(broken...)
}

// changes is the number of changes of visits: three by office.day after the creation, and one by `helm test`.
const changes = 4

func (r *run) audited(ctx context.Context, visits int) error {
	var trail struct{ Pagination struct{ Total int } }
	if err := r.office.Users["admin"].Call(
		ctx, http.MethodGet, "/api/analytics/audit?entity=visit&limit=1", nil, &trail,
	); err != nil {
		return err
	}
	if trail.Pagination.Total != visits+changes {
		return fmt.Errorf("the audit trail has %d records of %d visits and %d changes",
			trail.Pagination.Total, visits, changes)
	}
	return nil
}

// verifyTrail verifies the audit trail in a pod of audit, whichever version runs there.
func (r *run) verifyTrail(ctx context.Context) error {
	const audit = "deployment/" + release + "-audit-analytics"
	args, err := r.output(
		ctx, "kubectl", "--namespace", r.Namespace, "get", audit, "--output",
		"jsonpath={.spec.template.spec.containers[0].args}",
	)
	if err != nil {
		return err
	}
	return r.kubectl(ctx, append([]string{"exec", audit, "--"}, verifier(args)...)...)
}

// verifier returns the command that verifies the audit trail in a container with these arguments. In 0.1.0 the
// container of audit had a program of its own, and no arguments.
func verifier(args string) []string {
	if args == "" {
		return []string{"/audit-analytics", "verify"}
	}
	return []string{"/ko-app/baarid", "audit", "verify"}
}
