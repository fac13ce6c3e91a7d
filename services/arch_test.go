// Package services_test checks the architectural rules that the compiler does not check, such as the imports of each
// package and the calls inside a transaction. It also checks docs/asvs.csv.
package services_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"baari.dev/services/contract/registry"
)

const module = "baari.dev/services/"

// names are the names of the services; everything else in this module is shared.
var names = registry.Names()

// A source is one Go file: its path from this folder, and its content.
type source struct {
	path string
	file *ast.File
}

func (s source) folder() string { return path.Dir(s.path) }
func (s source) isTest() bool   { return strings.HasSuffix(s.path, "_test.go") }
func (s source) top() string    { top, _, _ := strings.Cut(s.path, "/"); return top }

func (s source) imports() []string {
	var paths []string
	for _, spec := range s.file.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, name)
	}
	return paths
}

func read(t *testing.T, root string) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		all = append(all, source{filepath.ToSlash(name), file})
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files under %s: %v", len(all), root, err)
	}
	return all
}

// planted returns a file that violates a rule, to show that the rule detects it.
func planted(t *testing.T, name, text string) source {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return source{name, file}
}

// A rule returns the violations in a file.
type rule struct {
	name    string
	against func(source) []string
	path    string // a planted file that violates the rule
	text    string
}

var rules = []rule{
	{
		"services do not import each other", importsNeighbours, "visits/a.go",
		`package visits; import "baari.dev/services/audit/chain"`,
	},
	{
		"platform imports no service and no contract", platformImports, "platform/bus/a_test.go",
		`package bus; import "baari.dev/services/contract"`,
	},
	{
		"baarictl imports only platform and contract", operateImports, "operate/a.go",
		`package operate; import "baari.dev/services/audit/chain"`,
	},
	{"platform knows no business", businessWords, "platform/bus/a.go", `package bus; func NextConsultantID() {}`},
	{
		"rules packages import only the standard library, without input and output", ruleImports, "visits/visit/a.go",
		`package visit; import "context"`,
	},
	{
		"arrows between the packages of a service go one way", againstArrows, "visits/papers/a.go",
		`package papers; import "baari.dev/services/visits/queue"`,
	},
	{"contract has no behaviour", contractBehaves, "contract/a.go", `package contract; func (Visit) Approve() {}`},
	{
		"routes are registered in a table with access rules", registersRoutes, "visits/a.go",
		`package visits; import "net/http"; func f(mux *http.ServeMux) { mux.HandleFunc("/", nil) }`,
	},
	{"SQL of a service is in store*.go", hasSQL, "visits/http.go", "package visits; const q = `SELECT id FROM visits`"},
	{
		"the environment is read at start, by package process", readsEnvironment, "visits/a.go",
		`package visits; import "os"; var zone = os.Getenv("ZONE")`,
	},
}

func TestTheLayoutsRules(t *testing.T) {
	sources := read(t, ".")
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, s := range sources {
				for _, found := range r.against(s) {
					t.Errorf("%s: %s", s.path, found)
				}
			}
			if len(r.against(planted(t, r.path, r.text))) == 0 {
				t.Errorf("the rule does not notice %s", r.text)
			}
		})
	}
}

// Tools call the services, and use the contract, the operator's packages, and platform's HTTP client, keys and test
// helpers. The gateway uses platform and the office document. Only the program that runs all services may import more.
func TestToolsAndGatewayImportNoService(t *testing.T) {
	for root, allowed := range map[string][]string{
		"../tools":   {"contract", "operate", "platform/httpclient", "platform/identity", "platform/testkit"},
		"../gateway": {"platform", "office"},
	} {
		for _, s := range read(t, root) {
			if s.folder() == "../gateway/cmd/baarid" {
				continue
			}
			for _, name := range importsBeyond(s, allowed...) {
				t.Errorf("%s imports %s", s.path, name)
			}
		}
		for _, name := range []string{module + "audit/chain", module + "visits/visit"} {
			if len(importsBeyond(planted(t, "a.go", `package a; import "`+name+`"`), allowed...)) == 0 {
				t.Errorf("the rule for %s does not notice an import of %s", root, name)
			}
		}
	}
}

// importsBeyond returns the imports of this module that are in none of the allowed folders.
func importsBeyond(s source, allowed ...string) (found []string) {
	for _, name := range s.imports() {
		inside, ours := strings.CutPrefix(name, module)
		if ours && !slices.ContainsFunc(allowed, func(folder string) bool {
			return inside == folder || strings.HasPrefix(inside, folder+"/")
		}) {
			found = append(found, name)
		}
	}
	return found
}

func operateImports(s source) (found []string) {
	if s.top() == "operate" {
		for _, name := range importsBeyond(s, "platform", "contract", "operate") {
			found = append(found, "imports "+name)
		}
	}
	return found
}

func importsNeighbours(s source) (found []string) {
	for _, name := range s.imports() {
		of, _, _ := strings.Cut(strings.TrimPrefix(name, module), "/")
		if strings.HasPrefix(name, module) && slices.Contains(names, s.top()) && slices.Contains(names, of) && of != s.top() {
			found = append(found, "imports "+name)
		}
	}
	return found
}

func platformImports(s source) (found []string) {
	for _, name := range s.imports() {
		if s.top() == "platform" && strings.HasPrefix(name, module) && !strings.HasPrefix(name, module+"platform/") {
			found = append(found, "imports "+name)
		}
	}
	return found
}

// Words that platform must not use. "token" is not listed, because sessions have tokens, too.
var business = []string{
	"visit", "visits", "visitor", "visitors", "consultant", "consultants", "reception", "receptionist", "appointment",
	"appointments", "queue", "queues",
}

// Identifiers of platform that may contain such words: the setting with the address of the service visits, and
// Queue, which adds statements to a batch of the database driver.
var allowedWords = []string{"VisitsURL", "Queue"}

func businessWords(s source) []string {
	found := map[string]bool{}
	ast.Inspect(s.file, func(node ast.Node) bool {
		name, ok := node.(*ast.Ident)
		if !ok || s.top() != "platform" || slices.Contains(allowedWords, name.Name) {
			return true
		}
		for _, word := range words(name.Name) {
			if slices.Contains(business, word) {
				found["names "+name.Name] = true
			}
		}
		return true
	})
	return slices.Sorted(maps.Keys(found))
}

// words splits an identifier at its capitals and underscores.
func words(name string) []string {
	var spaced strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(spaced.String(), func(r rune) bool { return r == ' ' || r == '_' })
}

// arrows has the packages of auth and of visits. Each package is followed by the other packages of its service that it
// may import. Tests may import all.
var arrows = map[string]map[string][]string{
	"auth": {
		"account": nil, "data": nil, "settings": nil,
		"mailing": {"account", "data", "settings"},
		"devices": {"account", "data"},
		"waiting": {"account", "data", "mailing"},
	},
	"visits": {
		"visit":      nil,
		"line":       nil,
		"foresight":  {"line"},
		"migrations": nil,
		"row":        {"visit", "line"},
		"catalog":    {"line"},
		"papers":     {"visit", "row"},
		"privacy":    {"visit", "line", "row", "papers"},
		"forecast":   {"visit", "line", "foresight", "row", "catalog"},
		"queue":      {"visit", "line", "row", "catalog", "papers", "privacy", "forecast"},
		"batch":      {"visit", "row", "queue"},
		"attention":  {"visit", "line", "row", "catalog", "queue"},
		"visitors":   {"visit", "line", "row", "catalog", "papers", "forecast", "queue"},
		"offline":    {"visit", "row", "catalog", "papers", "privacy", "queue"},
	},
}

// againstArrows returns a file's imports that are not in the row of the file's package in arrows. The service's main
// package, which connects the others, and the service's programs may import all.
func againstArrows(s source) (found []string) {
	_, own, inside := strings.Cut(s.folder(), "/")
	table, split := arrows[s.top()]
	if !split || !inside || s.isTest() || strings.HasPrefix(own, "cmd/") {
		return nil
	}
	may, known := table[own]
	if !known {
		return []string{"is of no package in the table of arrows"}
	}
	for _, name := range s.imports() {
		of, ours := strings.CutPrefix(name, module+s.top())
		if ours && !slices.Contains(may, strings.TrimPrefix(of, "/")) {
			found = append(found, "imports "+name)
		}
	}
	return found
}

// rulesPackages only compute; ruleExtras has what each may import besides the standard library. worldly lists the
// packages of the standard library that they must not import.
var (
	rulesPackages = []string{
		"auth/account", "audit/chain", "directory/appointment", "lobby/link", "lobby/page", "lobby/seal",
		"visits/visit", "visits/line", "visits/foresight",
	}
	ruleExtras = map[string][]string{
		// The filter of breached passwords is a pure computation, like the standard library's hashes.
		"auth/account": {"github.com/FastFilter/xorfilter"},
		// A forecast simulates the queue with the rule that selects the next visitor.
		"visits/foresight": {"baari.dev/services/visits/line"},
	}
	worldly = []string{"context", "database/sql", "log", "log/slog", "net", "net/http", "os", "math/rand", "math/rand/v2"}
)

func ruleImports(s source) (found []string) {
	if !slices.Contains(rulesPackages, s.folder()) || s.isTest() {
		return nil
	}
	for _, name := range s.imports() {
		first, _, _ := strings.Cut(name, "/")
		foreign := strings.Contains(first, ".") && !slices.Contains(ruleExtras[s.folder()], name)
		if foreign || slices.Contains(worldly, name) {
			found = append(found, "imports "+name)
		}
	}
	return found
}

func contractBehaves(s source) (found []string) {
	for _, declared := range s.file.Decls {
		if function, ok := declared.(*ast.FuncDecl); ok && s.folder() == "contract" && !s.isTest() &&
			function.Name.Name != "Kind" {
			found = append(found, "has the function "+function.Name.Name)
		}
	}
	return found
}

func registersRoutes(s source) []string {
	if s.isTest() || s.folder() == "platform/endpoint" || s.folder() == "platform/process" ||
		!slices.Contains(s.imports(), "net/http") {
		return nil
	}
	return calls(s.file, func(_, name string) bool { return name == "Handle" || name == "HandleFunc" })
}

// readEnvironment lists the folders whose packages read the environment.
var readEnvironment = []string{
	"platform/process", "platform/testkit", "platform/telemetry", "operate", "operate/backup",
}

func readsEnvironment(s source) []string {
	if s.isTest() || slices.Contains(readEnvironment, s.folder()) {
		return nil
	}
	return calls(s.file, func(of, name string) bool {
		return of == "os" && (name == "Getenv" || name == "LookupEnv" || name == "Environ")
	})
}

// The services that may have SQL in store*.go only, and the words by which a string is recognised as SQL.
var (
	sqlInStores = []string{"auth", "visits", "directory", "audit", "realtime", "lobby"}
	sqlKeywords = regexp.MustCompile(
		`\b(SELECT|INSERT INTO|UPDATE \w+|DELETE FROM|TRUNCATE|LOCK TABLE|RETURNING|SET LOCAL|WITH \w+ AS)\b`,
	)
)

func hasSQL(s source) (found []string) {
	if s.isTest() || !slices.Contains(sqlInStores, s.top()) || strings.HasPrefix(path.Base(s.path), "store") {
		return nil
	}
	ast.Inspect(s.file, func(node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if ok && literal.Kind == token.STRING {
			if keyword := sqlKeywords.FindString(literal.Value); keyword != "" {
				found = append(found, "has SQL outside store*.go: "+keyword)
			}
		}
		return true
	})
	return found
}

// calls returns the calls in node for which match(identifier before the dot or "", function's name) is true.
func calls(node ast.Node, match func(of, name string) bool) (found []string) {
	ast.Inspect(node, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if of, name := callee(call); match(of, name) {
			found = append(found, "calls "+strings.TrimPrefix(of+"."+name, "."))
		}
		return true
	})
	return found
}

func callee(call *ast.CallExpr) (of, name string) {
	switch function := call.Fun.(type) {
	case *ast.Ident:
		return "", function.Name
	case *ast.SelectorExpr:
		switch before := function.X.(type) {
		case *ast.Ident:
			of = before.Name
		case *ast.SelectorExpr:
			of = before.Sel.Name
		}
		return of, function.Sel.Name
	}
	return "", ""
}
