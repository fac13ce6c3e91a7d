package chart

import (
	"fmt"
	"slices"
)

// peer is the other end of a connection: a pod of this namespace by its labels, a pod of another namespace by the name
// of that namespace, or a host outside the cluster.
type peer struct {
	labels    map[string]string
	namespace string
	external  bool
	port      int
	name      string // name of the port, "" for none
}

// allowed reports whether the policies of one direction allow a connection between a pod with these labels and a peer.
// A pod that none of them selects may connect.
func (s *set) allowed(direction string, labels map[string]string, other peer) bool {
	selected := false
	for _, policy := range s.policies {
		if !slices.Contains(policy.PolicyTypes, direction) || !policy.PodSelector.matches(labels) {
			continue
		}
		selected = true
		rules := policy.Egress
		if direction == "Ingress" {
			rules = policy.Ingress
		}
		if slices.ContainsFunc(rules, func(r rule) bool { return r.allows(other) }) {
			return true
		}
	}
	return !selected
}

func (r rule) allows(other peer) bool {
	ports := len(r.Ports) == 0 || slices.ContainsFunc(r.Ports, func(p rulePort) bool {
		return p.Protocol != "UDP" && (p.Port == fmt.Sprint(other.port) || other.name != "" && p.Port == other.name)
	})
	peers := slices.Concat(r.To, r.From)
	return ports && (len(peers) == 0 || slices.ContainsFunc(peers, func(p rulePeer) bool { return p.matches(other) }))
}

func (p rulePeer) matches(other peer) bool {
	switch {
	case other.external:
		return p.IPBlock.CIDR != ""
	case other.namespace != "":
		named := map[string]string{"kubernetes.io/metadata.name": other.namespace}
		return p.NamespaceSelector != nil && p.NamespaceSelector.matches(named) && p.PodSelector == nil
	}
	return p.NamespaceSelector == nil && p.PodSelector != nil && p.PodSelector.matches(other.labels)
}

func (s selector) matches(labels map[string]string) bool {
	for key, value := range s.MatchLabels {
		if labels[key] != value {
			return false
		}
	}
	for _, expression := range s.MatchExpressions {
		if expression.Operator != "In" || !slices.Contains(expression.Values, labels[expression.Key]) {
			return false
		}
	}
	return true
}
