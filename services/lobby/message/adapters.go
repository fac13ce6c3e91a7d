package message

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/mail"
)

const (
	sendLimit = 5 * time.Second
	mostRead  = 16 << 10 // bytes of an answer
)

// posted sends a message by one HTTP request to an aggregator.
type posted struct {
	channel Channel
	client  *http.Client
}

func newPosted(c Channel) posted {
	return posted{c, &http.Client{
		Timeout:       sendLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send implements Sender. If no server was reached, or the server responded with 429, the message was certainly not
// sent and may be tried again. Other 4xx responses are ErrRefused. After any other failure (5xx, a redirect, a response
// without the text of a success) the message may have been sent: ErrUnknown.
func (p posted) Send(ctx context.Context, m Message) (ID, error) {
	text, template, err := p.channel.text(m)
	if err != nil {
		return "", err
	}
	values := map[string]string{
		"{to}": m.To, "{text}": text, "{template}": template, "{entity}": p.channel.EntityID, "{header}": p.channel.Header,
	}
	body := places.ReplaceAllStringFunc(p.channel.Body, func(place string) string { return p.escape(values[place]) })
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.channel.URL, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	for name, value := range p.channel.Headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", p.channel.Type)
	res, err := p.client.Do(req)
	if err != nil {
		if noServer(err) {
			return "", errors.New("the aggregator is not reached")
		}
		return "", ErrUnknown
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, mostRead))
	switch {
	case err != nil:
		return "", ErrUnknown
	case res.StatusCode == http.StatusTooManyRequests:
		return "", fmt.Errorf("the aggregator answered %d", res.StatusCode)
	case res.StatusCode/100 == 4:
		return "", fmt.Errorf("%w: status %d", ErrRefused, res.StatusCode)
	case res.StatusCode/100 != 2:
		return "", fmt.Errorf("%w: status %d", ErrUnknown, res.StatusCode)
	case !strings.Contains(string(answer), p.channel.Success):
		return "", fmt.Errorf("%w: the answer is not that of a success", ErrUnknown)
	}
	return p.idIn(string(answer)), nil
}

// idIn returns the id of the message in a response, "" if it has none.
func (p posted) idIn(answer string) ID {
	_, after, found := strings.Cut(answer, p.channel.IDAfter)
	if !found || p.channel.IDAfter == "" {
		return ""
	}
	return ID(idForm.FindString(after))
}

var idForm = regexp.MustCompile(`^[0-9A-Za-z_.-]{1,100}`)

// noServer reports whether a request failed before it was sent.
func noServer(err error) bool {
	var failed *net.OpError
	return errors.As(err, &failed) && failed.Op == "dial"
}

// escape encodes a value for the body: inside the quotes of a JSON text, or as a value of a form.
func (p posted) escape(value string) string {
	if p.channel.Type == typeForm {
		return url.QueryEscape(value)
	}
	quoted, err := json.Marshal(value)
	if err != nil {
		return "" // only for a text that is not UTF-8
	}
	return string(quoted[1 : len(quoted)-1])
}

// mailed sends by mail, to a gateway that turns mails into messages.
type mailed struct {
	channel Channel
	mailer  mail.Mailer
}

// Send implements Sender. It returns ErrUnknown if the mailer fails, because the server may have accepted the mail.
func (m mailed) Send(ctx context.Context, msg Message) (ID, error) {
	text, _, err := m.channel.text(msg)
	if err != nil {
		return "", err
	}
	to := strings.ReplaceAll(m.channel.Address, "{to}", msg.To)
	if err := m.mailer.Send(ctx, mail.Message{To: to, Subject: m.channel.Subject, Text: text}); err != nil {
		return "", errors.Join(ErrUnknown, err)
	}
	return "", nil
}

// logged sends nothing: it logs that a message would be sent, without phone and text.
type logged struct{ channel Channel }

// Send implements Sender.
func (l logged) Send(ctx context.Context, m Message) (ID, error) {
	_, template, err := l.channel.text(m)
	if err != nil {
		return "", err
	}
	slog.InfoContext(ctx, "a message is not sent: the adapter is log", "kind", m.Kind, "template", template)
	return "logged", nil
}
