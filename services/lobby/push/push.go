// Package push sends web push to the browsers of visitors' phones, through the push services of the browsers' makers.
//
// A subscription contains an address that a stranger has supplied. Therefore only the hosts of the known push services
// are called, by HTTPS, without redirects, and never at a private address.
package push

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/SherClockHolmes/webpush-go"
)

// Subscription is a browser's push subscription, in the JSON form of PushSubscription.
type Subscription struct {
	Endpoint string `json:"endpoint"`
	Keys     struct {
		P256dh string `json:"p256dh"`
		Auth   string `json:"auth"`
	} `json:"keys"`
}

// hosts are the hosts of push services. A host that begins with a dot stands for all hosts below it.
var hosts = []string{
	"fcm.googleapis.com", "updates.push.services.mozilla.com", ".notify.windows.com", "web.push.apple.com",
}

// Allowed reports whether host, without a port or with port 443, is a host of a known push service.
func Allowed(host string) bool { return slices.ContainsFunc(hosts, isOf(host)) }

// isOf returns a function that reports whether host equals entry or, if entry begins with a dot, ends with entry.
func isOf(host string) func(entry string) bool {
	host = strings.TrimSuffix(host, ":443")
	return func(entry string) bool {
		return host == entry || strings.HasPrefix(entry, ".") && strings.HasSuffix(host, entry)
	}
}

// Service returns the push service of a subscription, as its entry in hosts; all hosts of a service have the same
// entry. For an unknown push service it returns the subscription's host.
func Service(sub Subscription) string {
	address, err := url.Parse(sub.Endpoint)
	if err != nil {
		return ""
	}
	if i := slices.IndexFunc(hosts, isOf(address.Host)); i >= 0 {
		return hosts[i]
	}
	return address.Host
}

const (
	longestEndpoint = 1024
	keyBytes        = 65 // a point of P-256
	secretBytes     = 16
)

// ErrInvalid is returned for an invalid subscription.
var ErrInvalid = errors.New("this is no subscription of a known push service")

// Sender sends push.
type Sender struct {
	private, public string
	subject         string
	allowed         func(host string) bool
	client          *http.Client
}

// NewSender returns a sender with a key pair. subject is the mail address or URL by which operators of push services
// can reach the office.
func NewSender(private, public, subject string) *Sender {
	return NewSenderTo(private, public, subject, Allowed, client())
}

// NewSenderTo is NewSender with another rule for the allowed hosts and another HTTP client.
func NewSenderTo(private, public, subject string, allowed func(host string) bool, client *http.Client) *Sender {
	return &Sender{private, public, subject, allowed, client}
}

// PublicKey returns the key that a browser needs to subscribe.
func (s *Sender) PublicKey() string { return s.public }

// Check returns ErrInvalid unless the subscription is valid and of a known push service.
func (s *Sender) Check(sub Subscription) error {
	address, err := url.Parse(sub.Endpoint)
	switch {
	case err != nil, len(sub.Endpoint) > longestEndpoint, address.Scheme != "https", address.User != nil,
		!s.allowed(address.Host),
		!hasBytes(sub.Keys.P256dh, keyBytes), !hasBytes(sub.Keys.Auth, secretBytes):
		return ErrInvalid
	}
	return nil
}

func hasBytes(text string, want int) bool {
	data, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	return err == nil && len(data) == want
}

// Errors of Send.
var (
	ErrGone    = errors.New("the browser does not take push any more")
	ErrRefused = errors.New("the push service refuses the message")
	ErrUnknown = errors.New("it is not known whether the push service has the message")
)

// ended are the statuses after which a subscription is deleted: the browser has ended it, or it was made with an
// earlier key (RFC 8292, 4.2). The visitor's page then shows that push is off.
var ended = []int{http.StatusNotFound, http.StatusGone, http.StatusUnauthorized, http.StatusForbidden}

const (
	sendLimit = 5 * time.Second
	keptFor   = 10 * time.Minute // how long the push service keeps a message while the phone is off
)

// Send sends a body that only the browser can decrypt. After any error but ErrUnknown the push service certainly does
// not deliver the body. If several messages with one topic wait, the push service keeps only the newest.
func (s *Sender) Send(ctx context.Context, sub Subscription, topic string, body []byte) error {
	if err := s.Check(sub); err != nil {
		return ErrGone // valid when it was stored; the known push services have changed since
	}
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	res, err := webpush.SendNotificationWithContext(ctx, body, &webpush.Subscription{
		Endpoint: sub.Endpoint, Keys: webpush.Keys{P256dh: sub.Keys.P256dh, Auth: sub.Keys.Auth},
	}, &webpush.Options{
		HTTPClient: s.client, Subscriber: s.subject, VAPIDPublicKey: s.public, VAPIDPrivateKey: s.private, Topic: topic,
		TTL: int(keptFor.Seconds()), Urgency: webpush.UrgencyHigh,
	})
	if err != nil {
		var failed *net.OpError
		if errors.As(err, &failed) && failed.Op == "dial" {
			return errors.New("the push service is not reached")
		}
		return ErrUnknown
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4<<10))
	switch {
	case slices.Contains(ended, res.StatusCode):
		return ErrGone
	case res.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("the push service answered %d", res.StatusCode)
	case res.StatusCode/100 == 4:
		return fmt.Errorf("%w: status %d", ErrRefused, res.StatusCode)
	case res.StatusCode/100 != 2:
		return fmt.Errorf("%w: status %d", ErrUnknown, res.StatusCode)
	}
	return nil
}

// client returns a client that follows no redirect and connects to no private address, whatever a name resolves to.
func client() *http.Client {
	dialer := &net.Dialer{Timeout: sendLimit, Control: func(_, address string, _ syscall.RawConn) error {
		if !public(address) {
			return errors.New("this is a private address")
		}
		return nil
	}}
	return &http.Client{
		Timeout:       sendLimit,
		Transport:     &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: sendLimit, MaxIdleConns: 8},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// shared are the addresses of carriers' internal networks, which netip does not count as private.
var shared = netip.MustParsePrefix("100.64.0.0/10")

// public reports whether an address with its port can be on the internet.
func public(address string) bool {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return false
	}
	ip := to.Addr().Unmap()
	return ip.IsGlobalUnicast() && !ip.IsPrivate() && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && !shared.Contains(ip)
}
