package mailbox

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
)

// decode parses a message and decodes its subject and its parts into UTF-8. It knows only the encodings that the
// services use. It returns an error if the text is not a mail.
func decode(r io.Reader) (Message, error) {
	var decoded Message
	message, err := mail.ReadMessage(r)
	if err != nil {
		return decoded, fmt.Errorf("not a mail: %w", err)
	}
	if decoded.Subject, err = new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject")); err != nil {
		return decoded, fmt.Errorf("subject: %w", err)
	}
	return decoded, decoded.add(message.Header, message.Body)
}

// header is the header of a message or of one of its parts.
type header interface{ Get(key string) string }

// add adds the text of a part to the message. If the part consists of parts, it adds the text of each.
func (m *Message) add(of header, body io.Reader) error {
	kind, parameters, err := mime.ParseMediaType(of.Get("Content-Type"))
	if err != nil && of.Get("Content-Type") != "" {
		return fmt.Errorf("type of a part: %w", err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		return m.addParts(multipart.NewReader(body, parameters["boundary"]))
	}
	switch strings.ToLower(of.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	read, err := io.ReadAll(body)
	if err != nil {
		return fmt.Errorf("part of a mail: %w", err)
	}
	text := strings.ReplaceAll(string(read), "\r\n", "\n")
	if attached := strings.HasPrefix(of.Get("Content-Disposition"), "attachment"); attached && kind != "text/calendar" {
		return nil
	}
	switch kind {
	case "text/calendar":
		m.Calendar = &Calendar{Method: parameters["method"], Text: string(read)}
	case "text/html":
		m.HTML += text
	case "text/plain", "":
		m.Text += text
	}
	return nil
}

func (m *Message) addParts(parts *multipart.Reader) error {
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("part of a mail: %w", err)
		}
		if part.FileName() != "" {
			continue // an attachment
		}
		if err := m.add(part.Header, part); err != nil {
			return err
		}
	}
}
