// Package test holds the one suite for every gateway: the embedded one and Traefik, each as a process of its own with
// the figures of production, before services that only say what reached them.
package test
