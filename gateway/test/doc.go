// Package test has the tests of both gateways, the embedded one and Traefik. Each gateway runs as a process with the
// request timeouts of production, in front of the web server and of services that respond with what they received.
package test
