package auth

import (
	"strings"
	"testing"
)

// What a person or an office is called stands in a letter as text, never as markup.
func TestALetterEscapesNamesInItsHTML(t *testing.T) {
	letter := letter{Subject: "पासवर्ड", Office: "Lekha <Tax>", Name: "आशा", Lines: []string{"One line."}, Button: "Open", Link: site + "/x?a=1&b=2"}
	message, err := letter.to("asha@example.com")
	if err != nil || message.To != "asha@example.com" || message.Subject != "पासवर्ड" {
		t.Fatalf("the letter is %+v (%v)", message, err)
	}
	if !strings.Contains(message.Text, site+"/x?a=1&b=2") || !strings.Contains(message.HTML, "Lekha &lt;Tax&gt;") || !strings.Contains(message.HTML, "a=1&amp;b=2") {
		t.Errorf("the letter is %+v", message)
	}
}
