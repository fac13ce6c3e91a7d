package testkit

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Phone is a browser that accepts web push, together with its push service.
type Phone struct {
	*httptest.Server
	t       testing.TB
	private *ecdh.PrivateKey
	secret  []byte

	mu      sync.Mutex
	status  int
	bodies  []string
	headers []http.Header
}

// NewPhone returns a phone that accepts every message.
func NewPhone(t testing.TB) *Phone {
	t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &Phone{t: t, private: private, secret: make([]byte, 16), status: http.StatusCreated}
	_, _ = rand.Read(p.secret)
	p.Server = httptest.NewTLSServer(http.HandlerFunc(p.take))
	t.Cleanup(p.Close)
	return p
}

func (p *Phone) take(w http.ResponseWriter, r *http.Request) {
	sent, _ := io.ReadAll(r.Body)
	body := p.open(sent)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bodies, p.headers = append(p.bodies, body), append(p.headers, r.Header)
	w.WriteHeader(p.status)
}

// Answer sets the status with which the push service answers.
func (p *Phone) Answer(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = status
}

// Subscription returns the parts of the phone's subscription.
func (p *Phone) Subscription() (endpoint, key, secret string) {
	encode := base64.RawURLEncoding.EncodeToString
	return p.URL + "/send/abc", encode(p.private.PublicKey().Bytes()), encode(p.secret)
}

// Got returns the decrypted message i, counted from 0, and the headers of its request.
func (p *Phone) Got(i int) (body string, header http.Header) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bodies[i], p.headers[i]
}

// Count returns the number of messages received.
func (p *Phone) Count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.bodies)
}

// open decrypts a message as a browser does (RFC 8291, aes128gcm).
func (p *Phone) open(body []byte) string {
	salt, size := body[:16], int(body[20])
	public, sealed := body[21:21+size], body[21+size:]
	sender, err := ecdh.P256().NewPublicKey(public)
	if err != nil {
		p.t.Error(err)
		return ""
	}
	shared, err := p.private.ECDH(sender)
	if err != nil {
		p.t.Error(err)
		return ""
	}
	ikm := p.derive(shared, p.secret, "WebPush: info\x00"+string(p.private.PublicKey().Bytes())+string(public), 32)
	block, err := aes.NewCipher(p.derive(ikm, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		p.t.Error(err)
		return ""
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		p.t.Error(err)
		return ""
	}
	text, err := gcm.Open(nil, p.derive(ikm, salt, "Content-Encoding: nonce\x00", 12), sealed, nil)
	if err != nil {
		p.t.Error(err)
	}
	return strings.TrimRight(strings.TrimRight(string(text), "\x00"), "\x02")
}

func (p *Phone) derive(secret, salt []byte, info string, size int) []byte {
	key, err := hkdf.Key(sha256.New, secret, salt, info, size)
	if err != nil {
		p.t.Error(err)
	}
	return key
}
