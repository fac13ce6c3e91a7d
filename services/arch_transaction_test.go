package services_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// A transaction holds locks, so nothing inside it may wait for the network. The check uses names, not types: inside a
// function that takes a pgx.Tx it rejects every call whose name says that it uses the network, directly or through
// functions of the same package.
func TestNoNetworkInsideATransaction(t *testing.T) {
	byFolder := map[string][]source{}
	for _, s := range read(t, ".") {
		if !s.isTest() {
			byFolder[s.folder()] = append(byFolder[s.folder()], s)
		}
	}
	for _, sources := range byFolder {
		for _, found := range networkInTransactions(sources) {
			t.Error(found)
		}
	}
}

func TestTheTransactionRuleDetectsAViolation(t *testing.T) {
	const head = `package a
import ("context"; "net/http"; "github.com/jackc/pgx/v5"; "github.com/redis/go-redis/v9")
type s struct { ask client; redis redis.UniversalClient }
`
	for text, notices := range map[string]bool{
		`func (s s) f(tx pgx.Tx) { s.ask.Call("/x") }`:                               true,
		`func (s s) f(tx pgx.Tx) { s.redis.Publish(nil, "a", "b") }`:                 true,
		`func (s s) f(tx pgx.Tx) { s.redis.Pipeline() }`:                             true,
		`func (s s) f(tx pgx.Tx) { s.directory.FetchService("x") }`:                  true,
		`func (s s) f(tx pgx.Tx) { http.Get("http://x") }`:                           true,
		`func (s s) f() { inTx(func(tx pgx.Tx) error { return s.ask.Call("/x") }) }`: true,
		`func (s s) f(tx pgx.Tx) { s.learn() }
		 func (s s) learn() { s.look() }
		 func (s s) look() { s.ask.Call("/x") }`: true,
		`func (s s) f(tx pgx.Tx) { func() { s.ask.Call("/x") }() }`:                                true,
		`func (s s) f() { s.ask.Call("/x"); inTx(func(tx pgx.Tx) error { return tx.Exec("x") }) }`: false,
		`func (s s) f(tx pgx.Tx) { tx.Exec(http.StatusText(200)) }`:                                false,
	} {
		if found := networkInTransactions([]source{planted(t, "a/a.go", head+text)}); (len(found) > 0) != notices {
			t.Errorf("%s: %v", text, found)
		}
	}
}

// outgoing lists methods whose names say that they call another program.
var outgoing = []string{
	"Call", "Publish", "Subscribe", "RoundTrip",
	"Dial", "DialContext", "DialAndSend", "DialAndSendWithContext", "SendMail",
	// Package catalog requests data from directory with these.
	"Fetch", "FetchService", "FetchConsultant", "FetchAppointment",
}

func goesOut(of, name string) bool {
	return slices.Contains(outgoing, name) ||
		of == "http" && slices.Contains([]string{"Get", "Post", "PostForm", "Head"}, name) ||
		strings.HasSuffix(strings.ToLower(of), "redis")
}

func networkInTransactions(sources []source) (found []string) {
	out := functionsThatGoOut(sources)
	for _, s := range sources {
		ast.Inspect(s.file, func(node ast.Node) bool {
			body := transactionBody(node)
			if body == nil {
				return true
			}
			for _, call := range calls(body, func(of, name string) bool { return goesOut(of, name) || out[name] }) {
				found = append(found, s.path+" in a transaction "+call)
			}
			return false
		})
	}
	return found
}

// functionsThatGoOut returns the names of functions that call another program, directly or through one another.
func functionsThatGoOut(sources []source) map[string]bool {
	out := map[string]bool{}
	for grown := true; grown; {
		grown = false
		for _, s := range sources {
			for _, declared := range s.file.Decls {
				function, ok := declared.(*ast.FuncDecl)
				if !ok || function.Body == nil || out[function.Name.Name] {
					continue
				}
				found := calls(function.Body, func(of, name string) bool {
					return goesOut(of, name) || out[name] && inPackage(of)
				})
				if len(found) > 0 {
					out[function.Name.Name], grown = true, true
				}
			}
		}
	}
	return out
}

// inPackage reports whether a call with this identifier before the dot can be a call of the package's own function. It
// is false for helper packages, whose functions have the same names but use only the database.
func inPackage(of string) bool {
	return !slices.Contains([]string{"pgx", "outbox", "postgres", "fault"}, of)
}

func transactionBody(node ast.Node) *ast.BlockStmt {
	switch function := node.(type) {
	case *ast.FuncDecl:
		if takesTx(function.Type) {
			return function.Body
		}
	case *ast.FuncLit:
		if takesTx(function.Type) {
			return function.Body
		}
	}
	return nil
}

func takesTx(function *ast.FuncType) bool {
	for _, parameter := range function.Params.List {
		if of, ok := parameter.Type.(*ast.SelectorExpr); ok && of.Sel.Name == "Tx" {
			return true
		}
	}
	return false
}
