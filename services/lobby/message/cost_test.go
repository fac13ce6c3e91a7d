package message

import (
	"fmt"
	"strings"
	"testing"
)

// Up to 160 characters, or 70 in an Indian script, are one part. Each part has its price.
func TestAMessageCostsByItsParts(t *testing.T) {
	for text, parts := range map[string]int{
		strings.Repeat("a", 160): 1, strings.Repeat("a", 161): 2, strings.Repeat("a", 306): 2, strings.Repeat("a", 307): 3,
		strings.Repeat("€", 80): 1, strings.Repeat("€", 81): 2, strings.Repeat("ಕ", 70): 1, strings.Repeat("ಕ", 71): 2,
		strings.Repeat("a", 134) + "ಕ": 3, "": 1, strings.Repeat("😀", 35): 1, strings.Repeat("😀", 36): 2,
	} {
		if got := partsOf(text); got != parts {
			t.Errorf("%.12q... has %d parts, want %d", text, got, parts)
		}
	}
	channels, err := Read([]byte(`{"sms":{"adapter":"log","paise":12.25,"templates":{"near":{
"en":{"id":"1","text":"{#var#} {#var#}"},"kn":{"id":"2","text":"`+strings.Repeat("ಕ", 70)+`{#var#} {#var#}"}}}},
"mail":{"adapter":"log","templates":{"near":{"en":{"id":"1","text":"{#var#} {#var#}"}}}}}`), nil)
	if err != nil || !channels.Priced() {
		t.Fatal(err)
	}
	for name, want := range map[string]Cost{"sms en": 1225, "sms kn": 2450, "sms ta": 1225, "mail en": 0, "push en": 0} {
		channel, language, _ := strings.Cut(name, " ")
		m := Message{Kind: Near, Language: language, Values: []string{"T-014", "Lekha"}}
		if got := channels.Cost(channel, m); got != want {
			t.Errorf("%s costs %v, want %v", name, got, want)
		}
	}
	if got := channels.Cost("sms", Message{Kind: Called}); got != 0 || Cost(1225).Paise() != 12.25 {
		t.Errorf("without a template it costs %v; 1225 are %v paise", got, Cost(1225).Paise())
	}
}

func TestAPriceIsChecked(t *testing.T) {
	for price, ok := range map[string]bool{
		"0": true, "18": true, "12.25": true, "10000": true, "-1": false, "10001": false, "0.001": false, `"18"`: false,
	} {
		channels, err := Read(fmt.Appendf(nil,
			`{"sms":{"adapter":"log","paise":%s,"templates":{"near":{"en":{"id":"1","text":"{#var#} {#var#}"}}}}}`, price), nil)
		if (err == nil) != ok || ok && channels.Priced() != (price != "0") {
			t.Errorf("the price %s: %v", price, err)
		}
		if !ok && price != `"18"` && !strings.Contains(err.Error(), "sms/paise") {
			t.Errorf("the price %s: %v", price, err)
		}
	}
}
