package sheet_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"baari.dev/services/platform/sheet"
)

func write(t testing.TB, rows ...[]string) string {
	t.Helper()
	var out bytes.Buffer
	w := sheet.NewWriter(&out)
	for _, row := range rows {
		if err := w.Write(row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFieldsAreQuotedAndLinesEndWithCRLF(t *testing.T) {
	got := write(t, []string{"Date", "Name"}, []string{"2026-11-20", `Asha "A" Rao, CA`}, []string{"", "नमस्ते\nसाथी"})
	want := "\uFEFF\"Date\",\"Name\"\r\n\"2026-11-20\",\"Asha \"\"A\"\" Rao, CA\"\r\n\"\",\"नमस्ते\nसाथी\"\r\n"
	// ASVS 1.1.2, 1.2.10
	if got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// cells returns the rows of testdata/cells.tsv, which the web's tests also read: the value of a cell and the text to
// write.
func cells(t testing.TB) (rows [][2]string) {
	t.Helper()
	table, err := os.ReadFile("testdata/cells.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var row [2]string
		for i, text := range strings.SplitN(strings.TrimRight(line, "\n"), "\t", 2) {
			if err := json.Unmarshal([]byte(text), &row[i]); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		rows = append(rows, row)
	}
	if len(rows) < 60 {
		t.Fatalf("%d rows", len(rows))
	}
	return rows
}

// T16: no cell begins with a trigger, and no number loses digits. The text after the guard is unchanged.
func TestNoCellIsAFormulaAndNoneLosesDigits(t *testing.T) {
	for _, row := range cells(t) {
		cell := reread(t, write(t, []string{"x", row[0]}))[0][1]
		// ASVS 1.2.10
		if cell != strings.ReplaceAll(row[1], "\r\n", "\n") {
			t.Errorf("%q is read as %q", row[0], cell)
		}
	}
}

func reread(t testing.TB, text string) [][]string {
	t.Helper()
	body, marked := strings.CutPrefix(text, "\uFEFF")
	if !marked {
		t.Fatal("there is no byte order mark")
	}
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatalf("%v: %q", err, text)
	}
	return rows
}

type broken struct{ errs int }

var errBroken = errors.New("the connection is closed")

func (b *broken) Write([]byte) (int, error) { b.errs++; return 0, errBroken }

func TestWriteErrorIsSticky(t *testing.T) {
	out := &broken{}
	w := sheet.NewWriter(out)
	for range 10_000 {
		if err := w.Write("a field", "another"); err != nil && !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); !errors.Is(err, errBroken) || out.errs != 1 {
		t.Errorf("%v after %d tries", err, out.errs)
	}
}

// FuzzSheet: a CSV reader reads the guarded fields, and no cell begins with a trigger.
func FuzzSheet(f *testing.F) {
	for _, row := range cells(f) {
		f.Add(row[0], `"a","b"`)
	}
	f.Add("a\r\nb", "\"")
	f.Add("\uFEFF", "\xff\xfe")
	f.Fuzz(func(t *testing.T, a, b string) {
		rows := reread(t, write(t, []string{a, b}, []string{b, a}))
		// encoding/csv reads CRLF inside a field as LF.
		want := func(s string) string { return strings.ReplaceAll(sheet.Guard(s), "\r\n", "\n") }
		if !reflect.DeepEqual(rows, [][]string{{want(a), want(b)}, {want(b), want(a)}}) {
			t.Fatalf("%q, %q are read as %q", a, b, rows)
		}
		for _, cell := range rows[0] {
			if strings.ContainsAny(firstRune(cell), "=+-@\t\r\x00＝＋－＠") {
				t.Fatalf("the cell %q begins with a trigger", cell)
			}
		}
	})
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}
