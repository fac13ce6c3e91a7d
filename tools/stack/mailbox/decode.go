package mailbox

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // mail in other encodings than UTF-8
	"github.com/emersion/go-message/mail"
)

// decode parses a message and decodes its subject and parts. It returns an error if it is not a mail.
func decode(r io.Reader) (Message, error) {
	var decoded Message
	reader, err := mail.CreateReader(r)
	if err != nil && !message.IsUnknownCharset(err) {
		return decoded, fmt.Errorf("not a mail: %w", err)
	}
	if decoded.Subject, err = reader.Header.Subject(); err != nil {
		return decoded, fmt.Errorf("subject: %w", err)
	}
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return decoded, nil
		}
		if err != nil && !message.IsUnknownCharset(err) {
			return decoded, fmt.Errorf("part of a mail: %w", err)
		}
		header, ok := part.Header.(*mail.InlineHeader)
		if !ok {
			continue // an attachment
		}
		body, err := io.ReadAll(part.Body)
		if err != nil {
			return decoded, fmt.Errorf("part of a mail: %w", err)
		}
		text := strings.ReplaceAll(string(body), "\r\n", "\n")
		switch kind, _, _ := header.ContentType(); kind {
		case "text/html":
			decoded.HTML += text
		case "text/plain", "":
			decoded.Text += text
		}
	}
}
