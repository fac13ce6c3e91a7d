package message

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json"

	"baari.dev/services/office"
	"baari.dev/services/platform/mail"
)

// Channel is an entry of MESSAGES_FILE: how to send messages over one channel.
type Channel struct {
	Adapter   string                       `json:"adapter"` // http, smtp, log
	Templates map[Kind]map[string]Template `json:"templates"`

	// Paise is the price of a message, or of each part of a text message, with two decimals at most; 0: not configured.
	Paise float64 `json:"paise"`

	// Values registered with the telephone operators. A body can contain them.
	EntityID string `json:"entityId"`
	Header   string `json:"header"`

	// Fields of the adapter http.
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Type    string            `json:"type"`    // type of the body: application/json, application/x-www-form-urlencoded
	Body    string            `json:"body"`    // has the places {to}, {text}, {template}, {entity}, {header}
	Success string            `json:"success"` // text that the response to a successful request contains
	IDAfter string            `json:"idAfter"` // the text before the provider's id of the message; optional

	// Fields of the adapter smtp, for a gateway that turns mails into messages.
	Address string `json:"address"` // has the place {to}
	Subject string `json:"subject"`
}

const (
	typeJSON = "application/json"
	typeForm = "application/x-www-form-urlencoded"
)

const fallback = "en"

// Names of channels become labels of metrics, so there are only a few.
var channelNames = []string{"sms", "whatsapp", "mail"}

// Read reads the channels from data, the content of MESSAGES_FILE. The adapter smtp uses mailer, which is nil without a
// mail server. The error names each key that is wrong.
func Read(data []byte, mailer mail.Mailer) (Channels, error) {
	var channels map[string]Channel
	if err := json.Unmarshal(data, &channels, json.RejectUnknownMembers(true)); err != nil {
		return Channels{}, fmt.Errorf("MESSAGES_FILE: %w", err)
	}
	senders := map[string]Sender{}
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(channels)) {
		if !slices.Contains(channelNames, name) {
			problems = append(problems, fmt.Errorf("MESSAGES_FILE: key %s: a channel is sms, whatsapp or mail", name))
			continue
		}
		sender, err := channels[name].sender(mailer)
		problems = append(problems, channels[name].checkPrice(name))
		for _, problem := range slices.Concat(channels[name].checkTemplates(), []error{err}) {
			if problem != nil {
				problems = append(problems, fmt.Errorf("MESSAGES_FILE: key %s/%w", name, problem))
			}
		}
		senders[name] = sender
	}
	if err := errors.Join(problems...); err != nil {
		return Channels{}, err
	}
	return Channels{Senders: senders, configured: channels}, nil
}

// checkTemplates checks that each template has a known kind and language, and can be sent as registered.
func (c Channel) checkTemplates() (problems []error) {
	for _, kind := range slices.Sorted(maps.Keys(c.Templates)) {
		if !slices.Contains(kinds, kind) {
			problems = append(problems, fmt.Errorf("templates/%s: a message is near or called, or one of %s", kind, kinds[2:]))
		}
		for _, language := range slices.Sorted(maps.Keys(c.Templates[kind])) {
			if !slices.Contains(office.Languages, language) {
				problems = append(problems, fmt.Errorf("templates/%s/%s: no screen has this language", kind, language))
			}
			if wrong := c.Templates[kind][language].check(); wrong != "" {
				problems = append(problems, fmt.Errorf("templates/%s/%s %s", kind, language, wrong))
			}
		}
	}
	if len(c.Templates) == 0 {
		problems = append(problems, errors.New("templates has no entry"))
	}
	return problems
}

// text returns the text of a message and the id of its template: in the visitor's language, otherwise in English.
func (c Channel) text(m Message) (text, id string, err error) {
	template, has := c.Templates[m.Kind][m.Language]
	if !has {
		template, has = c.Templates[m.Kind][fallback]
	}
	if !has {
		return "", "", ErrNoTemplate
	}
	return template.fill(m.Values, m.Link), template.ID, nil
}

func (c Channel) sender(mailer mail.Mailer) (Sender, error) {
	switch c.Adapter {
	case "log":
		return logged{c}, nil
	case "smtp":
		switch {
		case mailer == nil:
			return nil, errors.New("adapter is smtp, but SMTP_URL is not set")
		case !hasPlace(c.Address, "{to}"):
			return nil, errors.New("address needs the place {to}, as in {to}@gateway.example")
		}
		return mailed{c, mailer}, nil
	case "http":
		address, err := url.Parse(c.URL)
		if err != nil || address.Scheme != "https" && address.Scheme != "http" || address.Host == "" {
			return nil, errors.New("url is no address")
		}
		if c.Type != typeJSON && c.Type != typeForm {
			return nil, errors.New("type is neither application/json nor application/x-www-form-urlencoded")
		}
		for _, place := range []string{"{to}", "{text}"} {
			if !hasPlace(c.Body, place) {
				return nil, fmt.Errorf("body needs the place %s", place)
			}
		}
		return newPosted(c), nil
	}
	return nil, errors.New("adapter may be http, smtp, log")
}

func hasPlace(text, place string) bool { return slices.Contains(places.FindAllString(text, -1), place) }

var places = regexp.MustCompile(`\{(to|text|template|entity|header)\}`)
