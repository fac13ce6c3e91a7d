package page

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"html/template"
	"regexp"
	"strings"
	"time"
)

//go:embed page.html
var pageHTML string

//go:embed notice.html
var noticeHTML string

//go:embed page.css
var css string

//go:embed page.js
var pageScript []byte

// Script is the script of the page without comments and indents.
var Script = regexp.MustCompile(`(?m)^\s+(//.*\n\s*)*`).ReplaceAll(pageScript, nil)

// ScriptPath is the path of the script. Its query changes with the script, so that it can be cached for ever.
var ScriptPath = func() string {
	sum := sha256.Sum256(Script)
	return "/q/page.js?v=" + hex.EncodeToString(sum[:4])
}()

// names has each language's name in that language; noticeNames has the names of languages that only notices have.
var (
	names = map[string]string{
		"en": "English", "hi": "हिन्दी", "kn": "ಕನ್ನಡ", "ta": "தமிழ்", "te": "తెలుగు", "mr": "मराठी",
	}
	noticeNames = map[string]string{
		"as": "অসমীয়া", "bn": "বাংলা", "brx": "बर'", "doi": "डोगरी", "gu": "ગુજરાતી", "ks": "کٲشُر", "kok": "कोंकणी",
		"mai": "मैथिली", "ml": "മലയാളം", "mni": "মৈতৈলোন্", "ne": "नेपाली", "or": "ଓଡ଼ିଆ", "pa": "ਪੰਜਾਬੀ",
		"sa": "संस्कृतम्", "sat": "ᱥᱟᱱᱛᱟᱲᱤ", "sd": "سنڌي", "ur": "اردو",
	}
)

func nameOf(language string) string { return cmp.Or(names[language], noticeNames[language], language) }

var (
	style    = template.CSS(strings.TrimSpace(css)) //nolint:gosec // the file is embedded
	function = template.FuncMap{"name": nameOf}
	live     = template.Must(template.New("page").Funcs(function).Parse(pageHTML))
	notice   = template.Must(template.New("notice").Parse(noticeHTML))
)

// Policy returns the Content-Security-Policy of a page. style is the CSP source of the page's style: a nonce or a hash.
func Policy(style string) string {
	return "default-src 'none'; style-src '" + style + "'; script-src 'self'; connect-src 'self'; " +
		"form-action 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// NoticeStyle is the CSP source, a hash, of the style of all pages other than that of a View.
var NoticeStyle = func() string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}()

// changing are the parts of the page that the script updates in place.
var changing = regexp.MustCompile(`(<dd id="(?:range|now|checked)">)[^<]*`)

// Tag returns a tag of the page's content, without the parts that the script updates. The tag is a hash of the HTML, so
// a change of any other part changes the tag.
func Tag(v View) (string, error) {
	body, err := draw(v, "", "")
	if err != nil {
		return "", err
	}
	_, main, _ := bytes.Cut(body, []byte("<main>"))
	sum := sha256.Sum256(changing.ReplaceAll(main, []byte("$1")))
	return base64.RawURLEncoding.EncodeToString(sum[:6]), nil
}

// Render returns the HTML of a page, whose style has the nonce.
func Render(v View, nonce string) ([]byte, error) {
	tag, err := Tag(v)
	if err != nil {
		return nil, err
	}
	return draw(v, nonce, tag)
}

func draw(v View, nonce, tag string) ([]byte, error) {
	var out bytes.Buffer
	minutes := []int{}
	if v.Facts.CanBeLate() {
		minutes = []int{10, 20, 30}
	}
	err := live.Execute(&out, struct {
		View
		Nonce, ScriptPath string
		Tag               string
		Style             template.CSS
		Minutes           []int
		Returns           bool
	}{v, nonce, ScriptPath, tag, style, minutes, v.Facts.CanReturn(v.At)})
	return out.Bytes(), err
}

// Notice is a page without a visit.
type Notice string

// The notices: keys of the texts.
const (
	NotFound    Notice = "notFound"
	Gone        Notice = "gone"
	TooMany     Notice = "tooMany"
	Foreign     Notice = "foreign"
	Unavailable Notice = "unavailable"
)

// Render returns the HTML of a notice. It depends on the language only.
func (n Notice) Render(language string) ([]byte, error) {
	v := View{Language: language, Zone: time.UTC}
	var out bytes.Buffer
	err := notice.Execute(&out, struct {
		View
		Key   string
		Style template.CSS
	}{v, string(n), style})
	return out.Bytes(), err
}
