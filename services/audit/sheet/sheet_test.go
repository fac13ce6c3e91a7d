package sheet_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"reflect"
	"strings"
	"testing"

	"baari.dev/services/audit/sheet"
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

// formulas are texts that a spreadsheet would evaluate, also full-width or after an invisible character.
var formulas = []string{
	"=1+1", "=cmd|' /C calc'!A0", "=HYPERLINK(\"http://x\")", "=\t1", "==1", "=", "+1", "+91 98", "++1", "+cmd|x", "+",
	"-1", "-1+1", "--1", "-cmd|x", "- a list",
	"-", "@SUM(A1)", "@", "@a", "\t=1", "\t", "\t1", "\r=1", "\r", "\r\n=1", "\x00=1", "\x00", "＝1+1", "＝", "＋1", "＋",
	"－1", "－", "＠SUM(A1)", "＠",
	"=\"quoted\"", "=a,b", "=\nb", "=नमस्ते",
	"\u200d=1", "\u200b+1", "\ufeff@a", "\u00ad-1", " =1", "\u00a0=1", "\u2060\ufe0f=1", "\U000e0041=1", "\u2800=1",
	"\u180e＝1",
}

// T16: no cell begins with a trigger; the text after the guard is unchanged.
func TestNoCellIsAFormula(t *testing.T) {
	if len(formulas) < 40 {
		t.Fatalf("%d seeds", len(formulas))
	}
	for _, formula := range formulas {
		cell := reread(t, write(t, []string{"x", formula}))[0][1]
		// ASVS 1.2.10
		if cell != "'"+strings.ReplaceAll(formula, "\r\n", "\n") {
			t.Errorf("%q is read as %q", formula, cell)
		}
	}
	for _, harmless := range []string{"Asha", "9876543210", "T-001", "'=1", "a=1", "", "1-1", "\u200dA=1", "१"} {
		if cell := reread(t, write(t, []string{"x", harmless}))[0][1]; cell != harmless {
			t.Errorf("%q is read as %q", harmless, cell)
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
	for _, formula := range formulas {
		f.Add(formula, `"a","b"`)
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
