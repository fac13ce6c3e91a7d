package chart

import (
	"strings"
	"testing"
)

const office = `
kind: Deployment
metadata: {name: visits}
spec:
  template:
    metadata: {labels: {component: visits}}
    spec:
      containers:
        - ports: [{name: internal, containerPort: 8081}]
          env:
            - {name: AUTH_URL, value: "http://auth:80"}
            - {name: DATABASE_URL, valueFrom: {secretKeyRef: {name: database, key: DATABASE_URL}}}
            - {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: "http://collector.monitoring:4318"}
---
kind: Deployment
metadata: {name: auth}
spec:
  template:
    metadata: {labels: {component: auth}}
    spec: {containers: [{ports: [{name: internal, containerPort: 8081}]}]}
---
kind: Service
metadata: {name: auth}
spec: {selector: {component: auth}, ports: [{port: 80, targetPort: internal}]}
---
kind: Secret
metadata: {name: database}
stringData: {DATABASE_URL: "postgres://app:secret@db.example.com/visits"}
---
kind: NetworkPolicy
metadata: {name: deny}
spec: {podSelector: {}, policyTypes: [Ingress, Egress]}
---
kind: NetworkPolicy
metadata: {name: into-auth}
spec:
  podSelector: {matchLabels: {component: auth}}
  policyTypes: [Ingress]
  ingress: [{from: [{podSelector: {matchLabels: {component: visits}}}], ports: [{port: 8081}]}]
---
kind: NetworkPolicy
metadata: {name: out-of-visits}
spec:
  podSelector: {matchExpressions: [{key: component, operator: In, values: [visits]}]}
  policyTypes: [Egress]
  egress:
    - {to: [{podSelector: {matchLabels: {component: auth}}}], ports: [{port: 8081}]}
    - {to: [{ipBlock: {cidr: 10.0.5.0/28}}], ports: [{port: 5432}]}
    - to: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]
      ports: [{port: 4318}]
`

func TestEveryAddressOfAPodIsAllowedByItsPolicies(t *testing.T) {
	checked, err := checkPolicies(office, nil)
	if err != nil || checked != 3 {
		t.Errorf("%d addresses: %v", checked, err)
	}
}

func TestAnAddressThatNoPolicyAllowsIsNamed(t *testing.T) {
	for _, c := range []struct{ before, after, says string }{
		{"{port: 5432}", "{port: 6432}", "DATABASE_URL=db.example.com: no policy of the pod allows port 5432"},
		{"ports: [{port: 8081}]}]", "ports: [{port: 8080}]}]", "AUTH_URL=auth: no policy allows it into auth"},
		{"name: monitoring}", "name: tracing}", "no policy of the pod allows port 4318"},
		{"{port: 80, target", "{port: 81, target", "the Service has no port 80"},
		{"{name: database, key", "{name: other, key", "there is no Secret other"},
		{"http://auth:80", "http://nobody:80", "nothing has the name nobody"},
		{"values: [visits]", "values: [auth]", "DATABASE_URL"},
	} {
		changed := strings.Replace(office, c.before, c.after, 1)
		if _, err := checkPolicies(changed, nil); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.after, err)
		}
	}
}

// A rule with only a port lets a pod connect to every address of the world.
func TestARuleWithoutADestinationIsNamed(t *testing.T) {
	changed := strings.Replace(office, "to: [{ipBlock: {cidr: 10.0.5.0/28}}], ", "", 1)
	if _, err := checkPolicies(changed, nil); err == nil || !strings.Contains(err.Error(), "out-of-visits") {
		t.Errorf("every address at port 5432: %v", err)
	}
}

func TestFurtherNodesOfRedisAreAddressesToo(t *testing.T) {
	found := inURL("REDIS_URL", "rediss://:secret@one:6380?addr=two:6381&addr=three:6382")
	if len(found) != 3 || found[2] != (address{"REDIS_URL", "three", 6382}) {
		t.Errorf("%v", found)
	}
}
