// Package system checks a running system, all services and the gateway as processes of their own, from outside: who may do
// what, bad requests, headers, and what an intruder would try.
package system
