package traefikconf

import (
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"

	"baari.dev/gateway"
	"baari.dev/gateway/webserver"
)

// DynamicConfig is Traefik's dynamic configuration: routers, services and middlewares.
type DynamicConfig struct {
	HTTP struct {
		Routers           map[string]router           `yaml:"routers"`
		Services          map[string]service          `yaml:"services"`
		Middlewares       map[string]middleware       `yaml:"middlewares"`
		ServersTransports map[string]serversTransport `yaml:"serversTransports"`
	} `yaml:"http"`
}

type router struct {
	EntryPoints []string `yaml:"entryPoints"`
	Rule        string   `yaml:"rule"`
	Priority    int      `yaml:"priority"` // always set: by default the longer rule wins
	Middlewares []string `yaml:"middlewares,omitempty"`
	Service     string   `yaml:"service"`
}

type service struct {
	LoadBalancer loadBalancer `yaml:"loadBalancer"`
}

type loadBalancer struct {
	Servers            []map[string]string `yaml:"servers"`
	PassHostHeader     bool                `yaml:"passHostHeader"`
	ServersTransport   string              `yaml:"serversTransport"`
	ResponseForwarding map[string]string   `yaml:"responseForwarding,omitempty"`
}

type serversTransport struct {
	MaxIdleConnsPerHost int               `yaml:"maxIdleConnsPerHost"`
	ForwardingTimeouts  map[string]string `yaml:"forwardingTimeouts"`
}

// The priorities of the routers, highest first: ambiguous paths; chunked requests to the table's rows; other requests
// to these rows; reserved paths; the web application. The most specific row has the constant, each next row one less.
const (
	uncleanPriority  = 1000
	chunkedPriority  = 950
	tablePriority    = 900
	reservedPriority = 2
	webPriority      = 1
)

// Dynamic returns the dynamic configuration.
func Dynamic(config Config) DynamicConfig {
	var d DynamicConfig
	d.HTTP.Routers = config.routers()
	d.HTTP.Services = config.services()
	d.HTTP.Middlewares = config.middlewares()
	d.HTTP.ServersTransports = map[string]serversTransport{
		"whole":   newTransport(text(config.AnswerLimit)),
		"endless": newTransport("0s"),
	}
	return d
}

func newTransport(headerLimit string) serversTransport {
	return serversTransport{128, map[string]string{
		"dialTimeout": "2s", "responseHeaderTimeout": headerLimit, "idleConnTimeout": "60s"}}
}

func (c Config) routers() map[string]router {
	routers := map[string]router{
		"unclean": {
			[]string{public}, pathRegexp(gateway.UncleanPath.String()), uncleanPriority, []string{"as-unknown"}, gateway.Web,
		},
		"unknown": {[]string{public}, pathRegexp(reserved()), reservedPriority, []string{"as-unknown"}, gateway.Web},
		"web":     {[]string{public}, "PathPrefix(`/`)", webPriority, nil, gateway.Web},
		"health":  {[]string{admin}, "Path(`/healthz`) || Path(`/readyz`)", tablePriority, nil, "ping@internal"},
	}
	for i, route := range c.Routes {
		routers[slug(route)] = router{
			[]string{public}, rule(route), tablePriority - i, []string{"halve"}, serviceName(route),
		}
		routers[slug(route)+"-chunked"] = router{
			[]string{public}, unsized + " && (" + rule(route) + ")", chunkedPriority - i,
			[]string{"body-error", "whole-body", "service-error", "halve"}, serviceName(route),
		}
	}
	if c.Rate > 0 {
		routers["limit"] = router{
			[]string{admin}, "Path(`/limit`)", tablePriority, []string{"limit-error", "rate"}, "ping@internal",
		}
	}
	return routers
}

// unsized matches a request that has no Content-Length although its method allows a body. If there is a body, it is
// chunked.
const unsized = "!Method(`GET`) && !Method(`HEAD`) && !HeaderRegexp(`Content-Length`, `^`)"

func rule(route gateway.Route) string {
	if strings.Contains(route.Path, "{") {
		segments := regexp.MustCompile(`\\{[a-z_]+\\}`).ReplaceAllString(regexp.QuoteMeta(route.Path), "[^/]+")
		return pathRegexp("^(/api)?" + segments + "$")
	}
	var choices []string
	for _, path := range route.Paths() {
		choices = append(choices, "Path(`"+path+"`)")
		if route.Deeper {
			choices = append(choices, "PathPrefix(`"+path+"/`)")
		}
	}
	return strings.Join(choices, " || ")
}

func pathRegexp(expression string) string { return "PathRegexp(`" + expression + "`)" }

func reserved() string { return "(?i)^/(" + strings.Join(gateway.Reserved, "|") + ")(/|$)" }

// slug returns a route's name in Traefik's logs and metrics.
func slug(route gateway.Route) string {
	return strings.Trim(strings.NewReplacer("/", "-", "{", "", "}", "", "*", "deeper").Replace(route.String()), "-")
}

func serviceName(route gateway.Route) string {
	if route.Answer == gateway.Whole {
		return route.Upstream
	}
	return route.Upstream + "-" + string(route.Answer)
}

func (c Config) services() map[string]service {
	services := map[string]service{}
	for _, name := range gateway.Upstreams {
		services[name] = c.service(name, "whole")
	}
	for _, route := range c.Routes {
		if route.Answer == gateway.Whole {
			continue
		}
		s := c.service(route.Upstream, "endless")
		if route.Answer == gateway.Stream {
			s.LoadBalancer.ResponseForwarding = map[string]string{"flushInterval": "-1ms"} // unbuffered
		}
		services[serviceName(route)] = s
	}
	return services
}

func (c Config) service(upstream, transport string) service {
	return service{loadBalancer{
		Servers:        []map[string]string{{"url": c.Upstreams[upstream].String()}},
		PassHostHeader: true, ServersTransport: transport,
	}}
}

// errorPage is the path of the web server's error responses; Traefik replaces {status}.
const errorPage = webserver.ErrorPages + "{status}"

// limitAddress returns the URL of the rate limit, which is at Traefik's own admin port.
func (c Config) limitAddress() string {
	host := c.Host
	if host == "" {
		host = "127.0.0.1"
	}
	return fmt.Sprintf("http://%s/limit", net.JoinHostPort(host, strconv.Itoa(int(c.AdminPort))))
}
