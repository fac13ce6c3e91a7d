package traefikconf

import (
	"slices"

	"baari.dev/gateway"
	"baari.dev/gateway/answer"
	"baari.dev/gateway/webserver"
)

// middleware is one middleware of Traefik. Exactly one field is set; its name is the middleware's type.
type middleware struct {
	Headers          *headers          `yaml:"headers,omitempty"`
	Errors           *errorPages       `yaml:"errors,omitempty"`
	Buffering        *buffering        `yaml:"buffering,omitempty"`
	ForwardAuth      *forwardAuth      `yaml:"forwardAuth,omitempty"`
	RateLimit        *rateLimit        `yaml:"rateLimit,omitempty"`
	ReplacePath      map[string]string `yaml:"replacePath,omitempty"`
	ReplacePathRegex map[string]string `yaml:"replacePathRegex,omitempty"`
}

type headers struct {
	ContentTypeNosniff   bool              `yaml:"contentTypeNosniff"`
	ReferrerPolicy       string            `yaml:"referrerPolicy"`
	STSSeconds           int               `yaml:"stsSeconds"`
	STSIncludeSubdomains bool              `yaml:"stsIncludeSubdomains"`
	ForceSTSHeader       bool              `yaml:"forceSTSHeader"`
	SSLProxyHeaders      map[string]string `yaml:"sslProxyHeaders"`
	CustomRequestHeaders map[string]string `yaml:"customRequestHeaders"`
}

type errorPages struct {
	Status  []string `yaml:"status"`
	Service string   `yaml:"service"`
	Query   string   `yaml:"query"`

	StatusRewrites map[string]int `yaml:"statusRewrites,omitempty"`
}

type buffering struct {
	MaxRequestBodyBytes   int  `yaml:"maxRequestBodyBytes"`
	MemRequestBodyBytes   int  `yaml:"memRequestBodyBytes"`
	DisableResponseBuffer bool `yaml:"disableResponseBuffer"`
}

type forwardAuth struct {
	Address             string   `yaml:"address"`
	TrustForwardHeader  bool     `yaml:"trustForwardHeader"`
	AuthRequestHeaders  []string `yaml:"authRequestHeaders"`
	MaxResponseBodySize int      `yaml:"maxResponseBodySize"`
}

type rateLimit struct {
	Average         int    `yaml:"average"`
	Burst           int    `yaml:"burst"`
	Period          string `yaml:"period"`
	SourceCriterion struct {
		IPStrategy ipStrategy `yaml:"ipStrategy"`
	} `yaml:"sourceCriterion"`
}

type ipStrategy struct {
	Depth      int `yaml:"depth,omitempty"`
	IPv6Subnet int `yaml:"ipv6Subnet,omitempty"`
}

// identity lists request headers by which a client could claim an identity. They are removed one by one, because
// Traefik can remove headers by their full name only.
var identity = []string{"X-User-Id", "X-User-Role", "X-User-Name", "X-User-Email", "X-User-Active", "X-User-Session"}

// maxBody is the size, in bytes, of the largest chunked body that Traefik accepts.
const maxBody = 64 << 10

func (c Config) middlewares() map[string]middleware {
	all := map[string]middleware{
		"fixed-headers": {Headers: c.headers()},
		// Only statuses that no service sends are listed: replacing a service's 429 or 503 would lose its code and
		// Retry-After. Traefik itself sends no 503, and 413 only for a chunked body (body-error).
		"own-errors": {Errors: &errorPages{[]string{"502", "504"}, gateway.Web, errorPage, nil}},
		// A chunked body is read before it is sent, so that a malformed one reaches no service. Traefik's 500 for it
		// becomes 400. A service's own 500 first becomes 502, so that it is not taken for Traefik's.
		"whole-body":    {Buffering: &buffering{maxBody, maxBody, true}},
		"body-error":    {Errors: &errorPages{[]string{"413", "500"}, gateway.Web, errorPage, map[string]int{"500": 400}}},
		"service-error": {Errors: &errorPages{[]string{"500"}, gateway.Web, errorPage, map[string]int{"500": 502}}},
		"halve":         {ReplacePathRegex: map[string]string{"regex": "^/api(/api(?:/.*)?)$", "replacement": "$1"}},
		"as-unknown":    {ReplacePath: map[string]string{"path": webserver.ErrorPages + "404"}},
	}
	if c.Rate > 0 {
		c.addLimit(all)
	}
	return all
}

func (c Config) headers() *headers {
	h := &headers{
		ContentTypeNosniff: true, ReferrerPolicy: "same-origin",
		STSSeconds: 31536000, STSIncludeSubdomains: true, ForceSTSHeader: c.HTTPS,
		SSLProxyHeaders:      map[string]string{"X-Forwarded-Proto": "https"}, // untrusted values were removed before
		CustomRequestHeaders: map[string]string{"Forwarded": ""},              // an empty value removes the header
	}
	for _, name := range slices.Concat(identity, []string{"Traceparent", "Tracestate", answer.RequestIDHeader}) {
		h.CustomRequestHeaders[name] = ""
	}
	return h
}

// addLimit adds the rate limit. For each request, the public entry point calls the admin entry point (forwardAuth),
// which counts the request and gives Traefik's own 429 a JSON body. If the routes counted requests, that body would
// also replace a service's 429.
func (c Config) addLimit(all map[string]middleware) {
	rate := &rateLimit{Average: c.Rate, Burst: c.Burst, Period: "1s"}
	// excludedIPs is not used, because with it Traefik ignores ipv6Subnet.
	rate.SourceCriterion.IPStrategy = ipStrategy{Depth: 1 + c.ProxyHops, IPv6Subnet: 64}
	all["rate"] = middleware{RateLimit: rate}
	all["limit-error"] = middleware{Errors: &errorPages{[]string{"429"}, gateway.Web, errorPage, nil}}
	all["limit"] = middleware{ForwardAuth: &forwardAuth{
		Address: c.limitAddress(), TrustForwardHeader: true, // forged headers were removed at the public entry point
		AuthRequestHeaders:  []string{answer.RequestIDHeader}, // an empty list would send all headers
		MaxResponseBodySize: 4 << 10,
	}}
}
