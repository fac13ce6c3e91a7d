package chart

// These checks test whether network policies of rendered manifests allow all connections to addresses in the variables
// and arguments of pods. Only the fields that Baari's manifests use are read.

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// outsiders maps a host without a Service among the manifests to the labels of the pods behind it in the namespace.
// Other hosts without a dot are an error. HOST.NAMESPACE is in another namespace; a name with more dots is outside.
type outsiders map[string]map[string]string

// checkPolicies returns an error for each address that a pod may not connect to, and for each rule that lets pods
// connect to every address. It also returns the number of addresses.
func checkPolicies(manifests string, outside outsiders) (int, error) {
	all, err := readManifests(manifests)
	if err != nil {
		return 0, err
	}
	var errs []error
	checked := 0
	for _, policy := range all.policies {
		if slices.ContainsFunc(policy.Egress, func(r rule) bool { return len(r.To) == 0 }) {
			errs = append(errs, fmt.Errorf("the policy %s lets pods out to every address", policy.name))
		}
	}
	for _, pod := range all.pods {
		for _, address := range all.addresses(pod, &errs) {
			checked++
			if err := all.reaches(pod, address, outside); err != nil {
				errs = append(errs, fmt.Errorf("%s, %s=%s: %w", pod.name, address.variable, address.host, err))
			}
		}
	}
	return checked, errors.Join(errs...)
}

// address is a host and port that a pod connects to, and the variable that names it.
type address struct {
	variable, host string
	port           int
}

// addresses returns the addresses in a pod's variables, also in values from Secrets, and in its arguments.
func (s *set) addresses(of pod, errs *[]error) []address {
	var found []address
	for _, env := range of.env {
		value := env.Value
		if ref := env.ValueFrom.SecretKeyRef; ref.Name != "" {
			secret, known := s.secrets[ref.Name]
			if !known {
				*errs = append(*errs, fmt.Errorf("%s, %s: there is no Secret %s", of.name, env.Name, ref.Name))
			}
			value = secret[ref.Key]
		}
		found = append(found, inURL(env.Name, value)...)
	}
	for _, argument := range of.arguments {
		found = append(found, inURL("argument", argument)...)
	}
	return found
}

var usual = map[string]string{
	"postgres": "5432", "redis": "6379", "rediss": "6379", "smtp": "587", "smtps": "465", "http": "80", "https": "443",
}

// inURL returns the addresses in a value that is a URL. A Redis URL may name further nodes in its query.
func inURL(variable, value string) []address {
	parsed, err := url.Parse(value)
	if err != nil || parsed.Host == "" || variable == "BASE_URL" || variable == "TRUSTED_ORIGINS" {
		return nil
	}
	var found []address
	for _, host := range append([]string{parsed.Host}, parsed.Query()["addr"]...) {
		name, port, _ := strings.Cut(host, ":")
		if port == "" {
			port = usual[parsed.Scheme]
		}
		at := address{variable: variable, host: name}
		_, _ = fmt.Sscan(port, &at.port)
		found = append(found, at)
	}
	return found
}

// reaches returns an error if the policies of the pod or those of the address do not allow the connection.
func (s *set) reaches(from pod, to address, outside outsiders) error {
	end := peer{port: to.port}
	if service, known := s.services[to.host]; known {
		receivers, port, err := s.behind(service, to.port)
		if err != nil {
			return err
		}
		end = peer{labels: receivers[0].labels, port: port}
		for _, receiver := range receivers {
			if !s.allowed("Ingress", receiver.labels, peer{labels: from.labels, port: port, name: receiver.named(port)}) {
				return fmt.Errorf("no policy allows it into %s", receiver.name)
			}
		}
	} else if labels, known := outside[to.host]; known {
		end.labels = labels
	} else if host, namespace, _ := strings.Cut(to.host, "."); namespace == "" {
		return fmt.Errorf("nothing has the name %s", host)
	} else if !strings.Contains(namespace, ".") {
		end.namespace = namespace
	} else {
		end.external = true
	}
	if !s.allowed("Egress", from.labels, end) {
		return fmt.Errorf("no policy of the pod allows port %d", end.port)
	}
	return nil
}
