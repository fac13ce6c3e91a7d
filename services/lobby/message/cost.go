package message

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
)

// Channels has the configured channels and their senders, by the channel's name.
type Channels struct {
	Senders    map[string]Sender
	configured map[string]Channel
}

// Has reports whether a channel has a template of a kind.
func (c Channels) Has(name string, kind Kind) bool {
	return len(c.configured[name].Templates[kind]) > 0
}

// Cost is an amount in hundredths of a paisa.
type Cost int64

// Paise returns the amount in paise.
func (c Cost) Paise() float64 { return float64(c) / perPaisa }

const (
	perPaisa  = 100
	mostPaise = 10_000 // a hundred rupees; a higher price is a mistake
)

func (c Channel) checkPrice(name string) error {
	exact := c.Paise * perPaisa
	if c.Paise < 0 || c.Paise > mostPaise || math.Abs(exact-math.Round(exact)) > 1e-6 {
		return fmt.Errorf("MESSAGES_FILE: key %s/paise: a price is from 0 to %d paise, with two decimals at most", name,
			mostPaise)
	}
	return nil
}

// Priced reports whether a channel has a price.
func (c Channels) Priced() bool {
	for _, channel := range c.configured {
		if channel.Paise > 0 {
			return true
		}
	}
	return false
}

// Cost returns the price of a message over a channel: for a text message the price of a part times the number of parts.
func (c Channels) Cost(name string, m Message) Cost {
	channel := c.configured[name]
	text, _, err := channel.text(m)
	if err != nil {
		return 0 // it has no template, so it is not sent
	}
	parts := 1
	if name == channelSMS {
		parts = partsOf(text)
	}
	return Cost(math.Round(channel.Paise*perPaisa)) * Cost(parts)
}

const channelSMS = "sms"

// The characters of GSM 03.38 that take one place, and those that take two. Any other character makes the text UCS-2.
const (
	single = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿" +
		"abcdefghijklmnopqrstuvwxyzäöñüà"
	double = "^{}\\[~]|€"
)

// partsOf returns the number of parts of a text message. A single part has 160 places, or 70 in UCS-2. If there are
// several parts, each has fewer places, because it also contains its number.
func partsOf(text string) int {
	places := 0
	for _, char := range text {
		switch {
		case strings.ContainsRune(single, char):
			places++
		case strings.ContainsRune(double, char):
			places += 2
		default:
			return split(len(utf16.Encode([]rune(text))), 70, 67)
		}
	}
	return split(places, 160, 153)
}

func split(places, alone, each int) int {
	if places <= alone {
		return 1
	}
	return (places + each - 1) / each
}
