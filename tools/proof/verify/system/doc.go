// Package system tests a running system, with all services and the gateway, from outside: access rules, invalid
// requests, headers, and attacks.
package system
