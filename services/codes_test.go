package services_test

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"baari.dev/services/platform/testkit"
)

// The contract lists every code that the Go code can send, and no other code. The codes of /api/auth in capitals are
// better-auth's; auth's API document lists them in AuthErrorCode.
func TestTheContractListsEveryErrorCode(t *testing.T) {
	sources := product(t)
	schemas := testkit.LoadContract(t, "contract/common.yaml").Document.Components.Schemas
	sameCodes(t, "ErrorCode", listed(schemas["ErrorCode"]), errorCodes(t, sources))
	sameCodes(t, "FieldCode", listed(schemas["FieldCode"]), fieldCodes(t, sources))
}

func TestTheCodeRulesDetectAViolation(t *testing.T) {
	const head = `package a
import "baari.dev/services/platform/fault"
const codeGone = "gone"
`
	sent := head + `var e = fault.New(fault.Conflict, codeGone, "It is gone.")`
	found := errorCodes(t, []source{planted(t, "a/a.go", sent)})
	if !slices.Equal(found, []string{"gone"}) {
		t.Errorf("the error codes are %v", found)
	}
	const declared = `package fault
type FieldCode string
const CodeGone FieldCode = "gone"
`
	used := head + `var m = fault.NewMessage(fault.CodeGone, "It is gone.")`
	found = fieldCodes(t, []source{planted(t, faultFolder+"/a.go", declared), planted(t, "a/a.go", used)})
	if !slices.Equal(found, []string{"gone"}) {
		t.Errorf("the field codes are %v", found)
	}
}

// faultFolder declares the shared faults and the codes of fields.
const faultFolder = "platform/fault"

// product returns the sources that are not tests.
func product(t *testing.T) []source {
	t.Helper()
	return slices.DeleteFunc(read(t, "."), source.isTest)
}

func listed(schema *openapi3.SchemaRef) (codes []string) {
	for _, code := range schema.Value.Enum {
		codes = append(codes, code.(string))
	}
	return codes
}

func sameCodes(t *testing.T, name string, listed, sent []string) {
	t.Helper()
	for _, code := range sent {
		if !slices.Contains(listed, code) {
			t.Errorf("%s is sent but not in %s", code, name)
		}
	}
	for _, code := range listed {
		if !slices.Contains(sent, code) {
			t.Errorf("%s of %s is never sent", code, name)
		}
	}
}

// errorCodes returns the lower-case codes in all calls of fault.New, and the code that package fault itself sets.
func errorCodes(t *testing.T, sources []source) (codes []string) {
	t.Helper()
	for _, s := range sources {
		ast.Inspect(s.file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok || len(call.Args) != 3 {
				return true
			}
			of, name := callee(call)
			if name != "New" || of != "fault" && (of != "" || s.folder() != faultFolder) {
				return true
			}
			code, known := textOf(call.Args[1], constants(sources, s.folder()))
			if !known && s.folder() != "auth" { // a code of better-auth can contain a provider's name
				t.Errorf("%s: the code of a fault is no literal and no constant", s.path)
			}
			if code != "" && strings.ToLower(code) == code {
				codes = append(codes, code)
			}
			return true
		})
	}
	if validation, ok := constants(sources, faultFolder)["codeValidation"]; ok {
		codes = append(codes, validation)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// fieldCodes returns the values of the constants of package fault, such as CodeRequired, that messages use.
func fieldCodes(t *testing.T, sources []source) (codes []string) {
	t.Helper()
	declared := constants(sources, faultFolder)
	for _, s := range sources {
		ast.Inspect(s.file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			if of, name := callee(call); of != "fault" || name != "NewMessage" {
				return true
			}
			selector, ok := call.Args[0].(*ast.SelectorExpr)
			if !ok || declared[selector.Sel.Name] == "" {
				t.Errorf("%s: the code of a message is no constant of package fault", s.path)
				return true
			}
			codes = append(codes, declared[selector.Sel.Name])
			return true
		})
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// constants returns the text constants that the files of a folder declare.
func constants(sources []source, folder string) map[string]string {
	values := map[string]string{}
	for _, s := range sources {
		if path.Clean(s.folder()) != folder {
			continue
		}
		ast.Inspect(s.file, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || len(spec.Names) != len(spec.Values) {
				return true
			}
			for i, name := range spec.Names {
				if text, ok := textOf(spec.Values[i], nil); ok {
					values[name.Name] = text
				}
			}
			return true
		})
	}
	return values
}

// textOf returns the value of a text literal or of a known constant.
func textOf(expression ast.Expr, known map[string]string) (text string, ok bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.Ident:
		text, ok = known[e.Name]
	}
	return text, ok
}
