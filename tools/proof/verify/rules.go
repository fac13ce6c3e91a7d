package verify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// Rule is a rate limit in the code of the services.
type Rule struct {
	Name       string
	PerAddress bool // by the rule itself
}

// ReadRules returns every limit.Rule that the code under root/services declares.
func ReadRules(root string) ([]Rule, error) {
	var rules []Rule
	err := filepath.WalkDir(filepath.Join(root, "services"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.CompositeLit); ok && isRule(file.Name.Name, literal.Type) {
				if rule := readRule(literal); rule.Name != "" {
					rules = append(rules, rule)
				}
			}
			return true
		})
		return nil
	})
	return rules, err
}

// isRule reports whether a type in a package is limit.Rule.
func isRule(inPackage string, kind ast.Expr) bool {
	switch kind := kind.(type) {
	case *ast.SelectorExpr:
		from, ok := kind.X.(*ast.Ident)
		return ok && from.Name == "limit" && kind.Sel.Name == "Rule"
	case *ast.Ident:
		return inPackage == "limit" && kind.Name == "Rule"
	}
	return false
}

func readRule(literal *ast.CompositeLit) (rule Rule) {
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := pair.Key.(*ast.Ident)
		if !ok {
			continue
		}
		switch value := pair.Value.(type) {
		case *ast.BasicLit:
			if key.Name == "Name" {
				rule.Name, _ = strconv.Unquote(value.Value) // "" for what is no string
			}
		case *ast.SelectorExpr:
			rule.PerAddress = rule.PerAddress || key.Name == "By" && value.Sel.Name == "PerAddress"
		case *ast.Ident:
			rule.PerAddress = rule.PerAddress || key.Name == "By" && value.Name == "PerAddress"
		}
	}
	return rule
}
