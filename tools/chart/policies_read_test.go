package chart

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// set has the objects of the manifests of one namespace.
type set struct {
	pods     []pod
	services map[string]service
	secrets  map[string]map[string]string
	policies []policy
}

type pod struct {
	name      string
	labels    map[string]string
	env       []variable
	arguments []string
	ports     map[string]int // numbers, keyed by name
}

// named returns the name of a port, or "".
func (p pod) named(port int) string {
	for name, number := range p.ports {
		if number == port {
			return name
		}
	}
	return ""
}

type variable struct {
	Name, Value string
	ValueFrom   struct {
		SecretKeyRef struct{ Name, Key string } `yaml:"secretKeyRef"`
	} `yaml:"valueFrom"`
}

type service struct {
	Selector map[string]string
	Ports    []struct {
		Port       int
		TargetPort string `yaml:"targetPort"`
	}
}

type policy struct {
	name            string
	PodSelector     selector `yaml:"podSelector"`
	PolicyTypes     []string `yaml:"policyTypes"`
	Ingress, Egress []rule
}

type rule struct {
	To, From []rulePeer
	Ports    []rulePort
}

type rulePort struct{ Port, Protocol string }

type rulePeer struct {
	PodSelector       *selector             `yaml:"podSelector"`
	NamespaceSelector *selector             `yaml:"namespaceSelector"`
	IPBlock           struct{ CIDR string } `yaml:"ipBlock"`
}

type selector struct {
	MatchLabels      map[string]string `yaml:"matchLabels"`
	MatchExpressions []struct {
		Key, Operator string
		Values        []string
	} `yaml:"matchExpressions"`
}

type podSpec struct {
	InitContainers []container `yaml:"initContainers"`
	Containers     []container
}

type container struct {
	Command, Args []string
	Env           []variable
	Ports         []struct {
		Name          string
		ContainerPort int `yaml:"containerPort"`
	}
}

type metadata struct {
	Name   string
	Labels map[string]string
}

func readManifests(manifests string) (*set, error) {
	all := &set{services: map[string]service{}, secrets: map[string]map[string]string{}}
	documents := yaml.NewDecoder(strings.NewReader(manifests))
	for {
		var document struct {
			Kind       string
			Metadata   metadata
			StringData map[string]string `yaml:"stringData"`
			Spec       yaml.Node
		}
		if err := documents.Decode(&document); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		var err error
		switch document.Kind {
		case "Secret":
			all.secrets[document.Metadata.Name] = document.StringData
		case "Service":
			var spec service
			err = document.Spec.Decode(&spec)
			all.services[document.Metadata.Name] = spec
		case "NetworkPolicy":
			var spec policy
			err = document.Spec.Decode(&spec)
			spec.name = document.Metadata.Name
			all.policies = append(all.policies, spec)
		case "Pod":
			var spec podSpec
			err = document.Spec.Decode(&spec)
			all.add(document.Metadata, spec)
		case "Deployment", "StatefulSet", "Job":
			var spec struct {
				Template struct {
					Metadata metadata
					Spec     podSpec
				}
			}
			err = document.Spec.Decode(&spec)
			all.add(metadata{document.Metadata.Name, spec.Template.Metadata.Labels}, spec.Template.Spec)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", document.Kind, document.Metadata.Name, err)
		}
	}
}

func (s *set) add(meta metadata, spec podSpec) {
	one := pod{name: meta.Name, labels: meta.Labels, ports: map[string]int{}}
	for _, c := range slices.Concat(spec.InitContainers, spec.Containers) {
		one.env = append(one.env, c.Env...)
		one.arguments = slices.Concat(one.arguments, c.Command, c.Args)
		for _, port := range c.Ports {
			one.ports[port.Name] = port.ContainerPort
		}
	}
	s.pods = append(s.pods, one)
}

// behind returns the pods of a Service, and the port of the pods to which a port of the Service leads.
func (s *set) behind(to service, port int) ([]pod, int, error) {
	var receivers []pod
	for _, p := range s.pods {
		if (selector{MatchLabels: to.Selector}).matches(p.labels) {
			receivers = append(receivers, p)
		}
	}
	if len(receivers) == 0 {
		return nil, 0, errors.New("the Service selects no pod")
	}
	for _, offered := range to.Ports {
		if offered.Port != port {
			continue
		}
		if offered.TargetPort == "" {
			return receivers, port, nil
		}
		if named, known := receivers[0].ports[offered.TargetPort]; known {
			return receivers, named, nil
		}
		return nil, 0, fmt.Errorf("no container has the port %s", offered.TargetPort)
	}
	return nil, 0, fmt.Errorf("the Service has no port %d", port)
}
