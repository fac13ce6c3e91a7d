package webserver

import (
	"cmp"
	"encoding/xml"
	"html/template"
	"path"
	"strings"

	"baari.dev/services/office"
)

// tags are the office's part of the page's head: the texts for a browser's tab, search engines and link previews; the
// files that the screen needs, so that the browser fetches them immediately; and the office document, for the first
// paint.
var tags = template.Must(template.New("head").Parse(`<title>{{.Title}}</title>
    <meta name="description" content="{{.Description}}">
{{- if .Hidden}}
    <meta name="robots" content="noindex">
{{- end}}
{{- if .Canonical}}
    <link rel="canonical" href="{{.Canonical}}">
{{- end}}
{{- if .Landing}}
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="{{.Office.Brand}}">
    <meta property="og:title" content="{{.Title}}">
    <meta property="og:description" content="{{.Description}}">
    <meta property="og:locale" content="{{.Locale}}_IN">
    <meta name="twitter:card" content="summary">
{{- if .Canonical}}
    <meta property="og:url" content="{{.Canonical}}">
{{- end}}
    <script type="application/ld+json">{{.Business}}</script>
{{- end}}
{{- if .Language}}
    <script type="module" crossorigin src="{{.Language}}"></script>
{{- end}}
{{- range .Scripts}}
    <link rel="modulepreload" crossorigin href="{{.}}">
{{- end}}
{{- range .Images}}
    <link rel="preload" as="image" href="{{.}}">
{{- end}}
{{- range .Styles}}
    <link rel="stylesheet" crossorigin href="{{.}}">
{{- end}}
    <script type="application/json" id="office">{{.Office}}</script>`))

// The pages that search engines may index: the public page and the staff's sign-in.
const (
	landingPath = "/"
	signInPath  = "/login"
)

const dashboardPath = "/dashboard/"

// headOf has the values on which the head of one page depends, besides the office document.
type headOf struct {
	base, at   string
	language   string
	script     string // script of the language, "" for none
	needs      []string
	staffLogin string
}

// headTags returns the tags of one page. Its JSON blocks are data, which browsers do not run, so the CSP does not apply
// to them.
func headTags(document office.Public, page headOf) (string, error) {
	base, at := page.base, page.at
	o := profile{document.Document}
	head := struct {
		Title, Description, Canonical string
		Landing, Hidden               bool
		Language, Locale              string
		Scripts, Styles, Images       []string
		Office                        office.Public
		Business                      business
	}{
		Title: o.title(), Description: o.description(), Office: document, Business: o.business(base),
		Language: page.script, Locale: page.language,
		Landing: at == landingPath, Hidden: at != landingPath && at != signInPath,
	}
	if at == signInPath {
		head.Title = cmp.Or(page.staffLogin, "Staff Login") + ": " + o.title()
		head.Description = "Sign-in for the staff of " + o.title() +
			": reception, assistants, consultants and administrators."
	}
	if base != "" && !head.Hidden {
		head.Canonical = base + at
	}
	for _, file := range page.needs {
		switch path.Ext(file) {
		case ".css":
			head.Styles = append(head.Styles, file)
		case ".svg":
			head.Images = append(head.Images, file)
		default:
			head.Scripts = append(head.Scripts, file)
		}
	}
	var text strings.Builder
	err := tags.Execute(&text, head)
	return text.String(), err
}

// profile is the office document, with methods that return the texts for search engines.
type profile struct{ office.Document }

// business describes the office in the vocabulary of schema.org.
type business struct {
	Context    string         `json:"@context"`
	Type       string         `json:"@type"`
	Name       string         `json:"name"`
	URL        string         `json:"url,omitempty"`
	Telephone  string         `json:"telephone"`
	Email      string         `json:"email,omitempty"`
	Address    postalAddress  `json:"address"`
	AreaServed string         `json:"areaServed"`
	Opening    []openingHours `json:"openingHoursSpecification"`
	KnowsAbout []string       `json:"knowsAbout"`
}

type postalAddress struct {
	Type     string `json:"@type"`
	Street   string `json:"streetAddress"`
	Locality string `json:"addressLocality"`
	Country  string `json:"addressCountry"`
}

type openingHours struct {
	Type   string   `json:"@type"`
	Days   []string `json:"dayOfWeek"`
	Opens  string   `json:"opens"`
	Closes string   `json:"closes"`
}

func (o profile) business(base string) business {
	b := business{
		Context: "https://schema.org", Type: "AccountingService", Name: o.Brand, Telephone: o.Phone, Email: o.Email,
		Address:    postalAddress{"PostalAddress", strings.Join(o.Address, ", "), o.City, "IN"},
		AreaServed: o.City,
	}
	if base != "" {
		b.URL = base + "/"
	}
	for _, line := range o.Hours {
		for _, span := range line.Spans() {
			b.Opening = append(b.Opening, openingHours{"OpeningHoursSpecification", line.Weekdays(), span.From, span.To})
		}
	}
	for _, service := range o.Services {
		b.KnowsAbout = append(b.KnowsAbout, service.Name)
	}
	return b
}

func (o profile) title() string { return o.Brand + ", " + o.place() }

func (o profile) place() string {
	if strings.Contains(o.Area, o.City) {
		return o.Area
	}
	return o.Area + ", " + o.City
}

// description returns the text under a search result: some services, the place, the hours and the phone.
func (o profile) description() string {
	const shown = 3
	var names, hours []string
	for _, service := range o.Services[:min(shown, len(o.Services))] {
		names = append(names, service.Name)
	}
	for _, line := range o.Hours {
		if !line.IsOpen() {
			continue
		}
		times := line.Days + " " + *line.Open
		for _, pause := range line.Breaks {
			times += " to " + pause.From + " and " + pause.To
		}
		hours = append(hours, times+" to "+*line.Close)
	}
	return strings.Join(names, ", ") + " and more at " + o.title() + ". " + strings.Join(hours, ", ") + ". " + o.Phone
}

func robots(base string) []byte {
	text := "User-agent: *\nAllow: /api/office\nDisallow: /api/\n"
	if base != "" {
		text += "Sitemap: " + base + "/sitemap.xml\n"
	}
	return []byte(text)
}

func sitemap(base string) []byte {
	var location strings.Builder
	_ = xml.EscapeText(&location, []byte(base+"/")) // a strings.Builder returns no error
	return []byte(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>` +
		location.String() + "</loc></url></urlset>\n")
}
