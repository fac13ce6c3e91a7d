package directory

import (
	"net/http"

	"baari.dev/services/contract"
	"baari.dev/services/platform/feed"
)

type serviceBody struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	EstMinutes  int    `json:"est_minutes"`
	IsActive    int    `json:"is_active"` // 1 or 0
	// Translations by language.
	Texts map[string]contract.ServiceText `json:"texts"`
	Group string                          `json:"group"` // group of due dates

	Documents []contract.ServiceDocument `json:"documents"`
}

func serviceOf(s contract.Service) serviceBody {
	body := serviceBody{
		ID: s.ID, Name: s.Name, Description: s.Description, EstMinutes: s.EstMinutes, Texts: s.Texts, Group: s.Group,
		Documents: s.Documents,
	}
	if s.IsActive {
		body.IsActive = 1
	}
	return body
}

type servicesAnswer struct {
	Services []serviceBody `json:"services"`
}

func servicesOf(services []contract.Service) servicesAnswer {
	answer := servicesAnswer{Services: make([]serviceBody, len(services))}
	for i, service := range services {
		answer.Services[i] = serviceOf(service)
	}
	return answer
}

type serviceAnswer struct {
	Service serviceBody `json:"service"`
}

type createdService struct {
	Service serviceBody `json:"service"`
}

// StatusCode implements kithttp.StatusCoder.
func (createdService) StatusCode() int { return http.StatusCreated }

type consultantBody struct {
	ID             string   `json:"id"`
	Name           string   `json:"name"`
	Specialization []string `json:"specialization"`
	Serves         []string `json:"serves"`
	IsActive       bool     `json:"isActive"`
	Counter        string   `json:"counter"`
	CurrentQueue   int      `json:"currentQueue"`
	TotalSessions  int      `json:"totalSessions"`
	InSession      bool     `json:"inSession"`
}

func consultantOf(c Colleague) consultantBody {
	return consultantBody{
		ID: c.ID, Name: c.Name, Specialization: c.Specialization, Serves: c.Serves, IsActive: c.IsActive,
		Counter:      *c.Counter,
		CurrentQueue: c.Load.Waiting, TotalSessions: c.Load.Completed, InSession: c.Load.Running,
	}
}

// consultantsAnswer is {"consultants": […], "reset": …, "position": …}. If reset is true, it has all consultants of the
// list, otherwise only the changed ones.
type consultantsAnswer struct {
	Consultants []consultantBody `json:"consultants"`
	Reset       bool             `json:"reset"`
	Position    string           `json:"position"`
	at          feed.Position
}

func consultantsOf(all Colleagues) consultantsAnswer {
	answer := consultantsAnswer{
		Consultants: make([]consultantBody, len(all.List)), Reset: !all.Continues, Position: all.Place.String(), at: all.At,
	}
	for i, colleague := range all.List {
		answer.Consultants[i] = consultantOf(colleague)
	}
	return answer
}

// Headers implements kithttp.Headerer.
func (a consultantsAnswer) Headers() http.Header { return positionHeader(a.at) }

type consultantAnswer struct {
	Consultant consultantBody `json:"consultant"`
	at         feed.Position
}

// Headers implements kithttp.Headerer.
func (a consultantAnswer) Headers() http.Header { return positionHeader(a.at) }

func positionHeader(at feed.Position) http.Header {
	return http.Header{feed.HeaderSeq: {at.Header(contract.SourceVisits)}}
}
