// Package test has the tests of both gateways, the embedded one and Traefik. Each gateway runs as a process with the
// timeouts of production, in front of the web server and of services that respond with the requests they received.
package test
