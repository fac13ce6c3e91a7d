package webserver

import (
	"encoding/xml"
	"html/template"
	"strings"
)

// tags are the head of the page: what a browser's tab, a search engine and a link's preview show of the office.
var tags = template.Must(template.New("head").Parse(`<title>{{.Title}}</title>
    <meta name="description" content="{{.Description}}">
{{- if not .Public}}
    <meta name="robots" content="noindex">
{{- else}}
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="{{.Office.Brand}}">
    <meta property="og:title" content="{{.Title}}">
    <meta property="og:description" content="{{.Description}}">
    <meta property="og:locale" content="en_IN">
    <meta name="twitter:card" content="summary">
{{- if .Base}}
    <meta property="og:url" content="{{.Base}}/">
    <link rel="canonical" href="{{.Base}}/">
{{- end}}
    <script type="application/ld+json">{{.Business}}</script>
{{- end}}`))

// headTags writes the tags. The data block is no script to the browser, so the CSP lets it stand.
func headTags(office Office, base string, public bool) (string, error) {
	var head strings.Builder
	err := tags.Execute(&head, struct {
		Title, Description, Base string
		Public                   bool
		Office                   Office
		Business                 business
	}{office.title(), office.description(), base, public, office, office.business(base)})
	return head.String(), err
}

// business is the office in the words of schema.org.
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

func (o Office) business(base string) business {
	b := business{
		Context: "https://schema.org", Type: "AccountingService", Name: o.Brand, Telephone: o.Phone, Email: o.Email,
		Address:    postalAddress{"PostalAddress", strings.Join(o.Address, ", "), o.City, "IN"},
		AreaServed: o.City,
	}
	if base != "" {
		b.URL = base + "/"
	}
	for _, line := range o.Hours {
		if line.isOpen() {
			b.Opening = append(b.Opening, openingHours{"OpeningHoursSpecification", line.weekdays(), clock(*line.Open), clock(*line.Close)})
		}
	}
	for _, service := range o.Services {
		b.KnowsAbout = append(b.KnowsAbout, service.Name)
	}
	return b
}

func (o Office) title() string { return o.Brand + ", " + o.place() }

func (o Office) place() string {
	if strings.Contains(o.Area, o.City) {
		return o.Area
	}
	return o.Area + ", " + o.City
}

// description is the two lines under a search result: what is done, where, when.
func (o Office) description() string {
	const shown = 3
	var names, hours []string
	for _, service := range o.Services[:min(shown, len(o.Services))] {
		names = append(names, service.Name)
	}
	for _, line := range o.Hours {
		if line.isOpen() {
			hours = append(hours, line.Days+" "+*line.Open+" to "+*line.Close)
		}
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

// sitemap lists the one page that the public may find.
func sitemap(base string) []byte {
	var location strings.Builder
	_ = xml.EscapeText(&location, []byte(base+"/")) // a strings.Builder takes everything
	return []byte(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>` +
		location.String() + "</loc></url></urlset>\n")
}
