package push

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"baari.dev/services/lobby/seal"
	"baari.dev/services/platform/testkit"
)

var vapid, public64 = seal.PushKeys([]byte("a key of more than 32 characters, for tests"))

// subscriptionOf returns the subscription of a phone.
func subscriptionOf(p *testkit.Phone) (sub Subscription) {
	sub.Endpoint, sub.Keys.P256dh, sub.Keys.Auth = p.Subscription()
	return sub
}

func senderTo(p *testkit.Phone) *Sender {
	return NewSenderTo(vapid, public64, "desk@lekha.example", func(string) bool { return true }, p.Client())
}

func TestTheBrowserReadsWhatWasSent(t *testing.T) {
	p := testkit.NewPhone(t)
	if err := senderTo(p).Send(t.Context(), subscriptionOf(p), "topic", []byte(`{"k":"called"}`)); err != nil {
		t.Fatal(err)
	}
	body, header := p.Got(0)
	if body != `{"k":"called"}` || header.Get("TTL") != "600" || header.Get("Urgency") != "high" ||
		header.Get("Topic") != "topic" {
		t.Errorf("it got %q %v", body, header)
	}
	signed, key, _ := strings.Cut(strings.TrimPrefix(header.Get("Authorization"), "vapid t="), ", k=")
	claims := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(signed, claims); err != nil || key != public64 ||
		claims["aud"] != p.URL || claims["sub"] != "mailto:desk@lekha.example" {
		t.Errorf("it is signed by %s with %v: %v", key, claims, err)
	}
}

func TestAnEndedSubscriptionIsKnown(t *testing.T) {
	p := testkit.NewPhone(t)
	for status, gone := range map[int]bool{
		401: true, 403: true, 404: true, 410: true, 400: false, 429: false, 500: false,
	} {
		p.Answer(status)
		if err := senderTo(p).Send(t.Context(), subscriptionOf(p), "t", []byte("{}")); err == nil ||
			errors.Is(err, ErrGone) != gone {
			t.Errorf("%d: %v", status, err)
		}
	}
	p.Close()
	if err := senderTo(p).Send(t.Context(), subscriptionOf(p), "t", []byte("{}")); err == nil ||
		errors.Is(err, ErrUnknown) {
		t.Errorf("no push service: %v", err)
	}
}

// A stranger supplies the endpoint, so only endpoints of known push services are accepted.
func TestOnlyPushServicesAreCalled(t *testing.T) {
	sender := NewSender(vapid, public64, "desk@lekha.example")
	right := subscriptionOf(testkit.NewPhone(t))
	for endpoint, ok := range map[string]bool{
		"https://fcm.googleapis.com/fcm/send/a":                              true,
		"https://fcm.googleapis.com:443/fcm/send/a":                          true,
		"https://updates.push.services.mozilla.com/wpush/v2":                 true,
		"https://wns2-sg2p.notify.windows.com/w/?token=a":                    true,
		"https://web.push.apple.com/QA":                                      true,
		"http://fcm.googleapis.com/fcm/send/a":                               false,
		"https://fcm.googleapis.com:8443/a":                                  false,
		"https://127.0.0.1/a":                                                false,
		"https://[::1]/a":                                                    false,
		"https://fcm.googleapis.com.evil.example/a":                          false,
		"https://evil.example/fcm.googleapis.com":                            false,
		"https://fcm.googleapis.com@evil.example/a":                          false,
		"https://user@fcm.googleapis.com/a":                                  false,
		"https://notify.windows.com.evil.example":                            false,
		"https://evilnotify.windows.com":                                     false,
		"https://fcm.googleapis.com/" + strings.Repeat("a", longestEndpoint): false,
		"": false,
	} {
		right.Endpoint = endpoint
		if err := sender.Check(right); (err == nil) != ok {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
	right.Endpoint = "https://web.push.apple.com/QA"
	for _, key := range []string{"", "x", strings.Repeat("A", 200)} {
		wrong := right
		wrong.Keys.Auth = key
		if sender.Check(wrong) == nil {
			t.Errorf("the secret %q is one", key)
		}
	}
}

func TestNoPrivateAddressIsCalled(t *testing.T) {
	for address, is := range map[string]bool{
		"142.250.1.1:443": true, "[2a00:1450::1]:443": true, "127.0.0.1:443": false, "10.1.2.3:443": false,
		"192.168.1.1:443": false, "172.16.0.1:443": false, "169.254.169.254:443": false, "100.64.0.1:443": false,
		"[::1]:443": false, "[fd00::1]:443": false, "[fe80::1]:443": false, "[::ffff:10.0.0.1]:443": false,
		"0.0.0.0:443": false, "x": false,
	} {
		if public(address) != is {
			t.Errorf("%s is public: %v", address, !is)
		}
	}
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := client().Get(server.URL); err == nil || !strings.Contains(err.Error(), "private address") {
		t.Errorf("this machine is called: %v", err)
	}
}
