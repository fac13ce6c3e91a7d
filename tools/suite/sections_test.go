package suite

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"baari.dev/services/contract/registry"
	"baari.dev/tools/stack"
)

func TestGeneratedSectionsMatchTheRegistry(t *testing.T) {
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckSections(root); err != nil {
		t.Error(err)
	}
}

// Adding a service changes every file with sections, so no list of services has to be edited by hand.
func TestEveryGeneratedFileNamesAnAddedService(t *testing.T) {
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	added := append(slices.Clone(registry.Services), registry.Service{Name: "hello"})
	for _, name := range sectionFiles {
		text, err := os.ReadFile(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		filled, err := fillSections(name, text, added)
		if err != nil || !strings.Contains(strings.ToLower(string(filled)), "hello") {
			t.Errorf("%s does not name the service: %v", name, err)
		}
	}
}

func TestAFileWithoutASectionIsAnError(t *testing.T) {
	if _, err := fillSections("values.yaml", []byte("services: {}\n"), registry.Services); err == nil {
		t.Error("no error")
	}
}

// The number of PostgreSQL's connections in the documentation must follow from the number of services.
func TestTheConnectionsInTheDocumentationAreThoseOfEveryService(t *testing.T) {
	root, err := stack.FindRoot()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(root + "/services/docs/kubernetes.md")
	if err != nil {
		t.Fatal(err)
	}
	n := len(registry.Services)
	for _, want := range []string{
		fmt.Sprintf("is %d with two replicas", n*2*(10+4)*2),
		fmt.Sprintf("half as many again while one is replaced: %d", n*10*2*3/2),
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
