// Package test has the tests of both gateways, the embedded one and Traefik. Each runs as a process with the limits of
// production, in front of services that return the requests they received.
package test
