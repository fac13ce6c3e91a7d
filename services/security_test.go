package services_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// Packages that no folder except those named below may import. Except for log, a path includes the paths below it.
var (
	noProcesses  = []string{"os/exec", "plugin"}
	noMemory     = []string{"unsafe", "C"}
	noOpenTypes  = []string{"encoding/gob", "gopkg.in", "go.mongodb.org"}
	noWeakHashes = []string{"crypto/md5", "crypto/sha1", "golang.org/x/crypto/md4", "golang.org/x/crypto/ripemd160"}
	noCiphers    = []string{
		"crypto/aes", "crypto/cipher", "crypto/des", "crypto/rc4", "crypto/rsa", "crypto/dsa", "crypto/ecdsa",
		"crypto/elliptic",
	}
	noPlainLogs     = []string{"log"}
	guessableRandom = []string{"math/rand"}
)

// allowedCryptography lists the cryptographic packages that all programs may use: six of the standard library,
// argon2id, scrypt for imported hashes, JWT, and the root certificates.
var allowedCryptography = []string{
	"crypto/rand", "crypto/sha256", "crypto/hmac", "crypto/subtle", "crypto/tls", "crypto/x509",
	"github.com/alexedwards/argon2id", "golang.org/x/crypto/scrypt", "github.com/golang-jwt/jwt/v5",
	"golang.org/x/crypto/x509roots/fallback",
}

// signing is the only folder that may sign with Ed25519, with the keys of the services.
const signing = "platform/identity"

// encrypted is the only folder that may encrypt: it encrypts the personal data of lobby.
const encrypted = "lobby/seal"

// sealing has the packages that the folder lobby/seal may import for encryption.
var sealing = []string{"crypto/aes", "crypto/cipher", "crypto/ecdh"}

// guessable lists the folders that may use predictable random numbers, such as for jitter, sampling and simulated days.
var guessable = []string{
	"platform/postgres", "platform/telemetry", "realtime", "contract/contracttest", "visits/cmd/simulate",
}

// programs returns the source files of the services and the gateways, without tests and testkit.
func programs(t *testing.T) (all []source) {
	t.Helper()
	for _, root := range []string{".", "../gateway"} {
		for _, s := range read(t, root) {
			if !s.isTest() && !strings.Contains(s.path, "testkit/") && !strings.HasPrefix(s.path, "../gateway/test/") {
				all = append(all, s)
			}
		}
	}
	return all
}

func imported(prefixes []string) func(source) []string {
	return func(s source) (found []string) {
		for _, name := range s.imports() {
			for _, prefix := range prefixes {
				if name == prefix || strings.HasPrefix(name, prefix+"/") {
					found = append(found, "imports "+name)
				}
			}
		}
		return found
	}
}

// backups is the folder that may run processes: pg_dump and pg_restore, for baarictl, which serves no requests.
const backups = "operate/backup"

func encryptsElsewhere(s source) []string {
	return slices.DeleteFunc(imported(noCiphers)(s), func(found string) bool {
		return s.folder() == encrypted && slices.Contains(sealing, strings.TrimPrefix(found, "imports "))
	})
}

func startsProcesses(s source) []string {
	if s.folder() == backups {
		return nil
	}
	return imported(noProcesses)(s)
}

func otherCryptography(s source) (found []string) {
	for _, name := range s.imports() {
		if s.folder() == encrypted && slices.Contains(sealing, name) {
			continue
		}
		if s.folder() == signing && name == "crypto/ed25519" {
			continue
		}
		cryptographic := strings.HasPrefix(name, "crypto/") || strings.HasPrefix(name, "golang.org/x/crypto/") ||
			strings.Contains(name, "jwt") || strings.Contains(name, "argon2")
		if cryptographic && !slices.Contains(allowedCryptography, name) {
			found = append(found, "imports "+name)
		}
	}
	return found
}

func guessableElsewhere(s source) []string {
	if slices.Contains(guessable, s.folder()) {
		return nil
	}
	return imported(guessableRandom)(s)
}

func trustsEveryCertificate(s source) (found []string) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && name.Name == "InsecureSkipVerify" {
			found = append(found, "names InsecureSkipVerify")
		}
		return true
	})
	return found
}

// patternsOfInput finds regular expressions with parts other than literals and quoted text.
func patternsOfInput(s source) (found []string) {
	quoted := map[string]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if assigned, ok := n.(*ast.AssignStmt); ok && len(assigned.Lhs) == 1 && len(assigned.Rhs) == 1 {
			name, named := assigned.Lhs[0].(*ast.Ident)
			quotes := func(of, name string) bool { return of == "regexp" && name == "QuoteMeta" }
			if named && len(calls(assigned.Rhs[0], quotes)) > 0 {
				quoted[name.Name] = true
			}
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		of, name := callee(call)
		if of == "regexp" && strings.Contains(name, "Compile") && !constantPattern(call.Args[0], quoted) {
			found = append(found, "makes a pattern of a variable")
		}
		return true
	})
	return found
}

func constantPattern(pattern ast.Expr, quoted map[string]bool) bool {
	switch part := pattern.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return quoted[part.Name]
	case *ast.BinaryExpr:
		return constantPattern(part.X, quoted) && constantPattern(part.Y, quoted)
	}
	return false
}

// The rules apply to the source files of the programs. Each rule is also tested with a file that breaks it.
func TestProgramsStayWithinTheRulesOfSecurity(t *testing.T) {
	all := programs(t)
	for _, r := range []rule{
		// ASVS 1.2.5
		{"they start no process", startsProcesses, "visits/a.go", `package visits; import "os/exec"`},
		// ASVS 1.2.9
		{
			"no input becomes a regular expression", patternsOfInput, "visits/a.go",
			`package visits; import "regexp"; func f(q string) { regexp.MustCompile("a" + q) }`,
		},
		// ASVS 1.4.3
		{"memory is Go's", imported(noMemory), "visits/a.go", `package visits; import "unsafe"`},
		// ASVS 1.5.2
		{
			"no format lets its text choose the type that is made", imported(noOpenTypes), "visits/a.go",
			`package visits; import "encoding/gob"`,
		},
		// ASVS 11.2.1, 11.4.1, 11.6.1
		{
			"cryptography is the standard library's, argon2id, scrypt and JWT", otherCryptography, "visits/a.go",
			`package visits; import "golang.org/x/crypto/blowfish"`,
		},
		// ASVS 11.3.1, 11.3.2, 11.3.3
		{
			"nothing is encrypted but what lobby seals, and no key pair is made", encryptsElsewhere, "visits/a.go",
			`package visits; import "crypto/aes"`,
		},
		// ASVS 11.2.3, 11.4.1
		{"no hash is weaker than SHA-256", imported(noWeakHashes), "visits/a.go", `package visits; import "crypto/sha1"`},
		// ASVS 11.5.1
		{
			"random numbers that can be guessed are for jitter and samples only", guessableElsewhere, "auth/a.go",
			`package auth; import "math/rand/v2"`,
		},
		// ASVS 12.3.2
		{
			"no TLS client accepts every certificate", trustsEveryCertificate, "auth/a.go",
			`package auth; import "crypto/tls"; var c = tls.Config{InsecureSkipVerify: true}`,
		},
		// ASVS 16.2.3
		{"logs are written by log/slog only", onlyPlainLog, "auth/a.go", `package auth; import "log"`},
	} {
		t.Run(r.name, func(t *testing.T) {
			for _, s := range all {
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

// onlyPlainLog finds uses of package log; its subpackage log/slog is allowed.
func onlyPlainLog(s source) (found []string) {
	for _, name := range s.imports() {
		if slices.Contains(noPlainLogs, name) {
			found = append(found, "imports "+name)
		}
	}
	return found
}
