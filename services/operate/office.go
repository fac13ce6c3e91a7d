package operate

import (
	"context"
	"encoding/json"

	"baari.dev/services/contract"
)

const officePath = "/internal/office"

// Office is the office document with its version. Mode is "file" if the file of the office owns the settings.
type Office struct {
	Version  int64           `json:"version"`
	Mode     string          `json:"mode"`
	Document json.RawMessage `json:"document"`
}

// ExportOffice returns the office document in use.
func (i Installation) ExportOffice(ctx context.Context) (office Office, err error) {
	return office, i.Get(ctx, contract.SourceDirectory, officePath, &office)
}

// OfficeImport is what the import of an office document changes. If Problems has a line, the document is invalid and
// nothing was changed.
type OfficeImport struct {
	Version  int64          `json:"version"` // version of the document now, 0 for a preview
	Problems []string       `json:"problems"`
	Changes  []OfficeChange `json:"changes"`
	Effects  []OfficeEffect `json:"effects"`
}

// OfficeChange is a key whose value differs. Key is a JSON pointer.
type OfficeChange struct {
	Key    string          `json:"key"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
}

// OfficeEffect is what the changes mean for something that exists, and for how many.
type OfficeEffect struct {
	Code  string `json:"code"`
	Count int    `json:"count"`
}

// ImportOffice makes a document the office document, without its services and its time zone. A preview changes nothing.
func (i Installation) ImportOffice(
	ctx context.Context, document json.RawMessage, preview bool,
) (done OfficeImport, err error) {
	body := map[string]any{"document": document, "preview": preview}
	return done, i.Call(ctx, contract.SourceDirectory, officePath, body, &done)
}
