// Package test has the tests of both gateways, the embedded one and Traefik. Each gateway runs as a process with the
// limits of production, in front of services that respond with the requests they received.
package test
