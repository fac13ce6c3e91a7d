package privacy

import (
	"net/http"

	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

// Handlers has the handlers of internal requests about persons' data. A service sets those that its rows need; a zero
// Handler adds no route.
type Handlers struct {
	Asker  string // the service that carries out privacy requests
	Export endpoint.Handler
	Erase  endpoint.Handler
	Breach endpoint.Handler // lists which users have received which data in a period
	Uses   endpoint.Handler // accesses by day and user, for Asker alone
}

// Routes returns the internal routes of the handlers, for Asker and, except for Uses, for the operator's program.
func Routes(h Handlers) (routes []endpoint.Route) {
	asked := endpoint.Service(h.Asker, Operator)
	for _, route := range []endpoint.Route{
		{Pattern: "/internal/subject/export", Access: asked, Handler: h.Export},
		{Pattern: "/internal/subject/erase", Access: asked, Handler: h.Erase},
		{Pattern: "/internal/breach", Access: asked, Handler: h.Breach},
		{Pattern: "/internal/uses", Access: endpoint.Service(h.Asker), Handler: h.Uses},
	} {
		if !route.Handler.IsZero() {
			route.Method = http.MethodPost
			routes = append(routes, route)
		}
	}
	return routes
}

// Person is a validated request for the data of a person, with what the access log records.
type Person struct {
	Phone string
	Asked
}

// ReadPerson reads a request for the data of a person.
func ReadPerson(r *http.Request) (Person, error) {
	var body struct {
		Phone wire.Field[string] `json:"phone"`
		Asked
	}
	if err := wire.Read(r, &body); err != nil {
		return Person{}, err
	}
	if !wire.IsPhone(body.Phone.Value) {
		return Person{}, fault.Field("phone", wire.PhoneWrong)
	}
	return Person{body.Phone.Value, body.Asked}, nil
}

// ReadPhone reads a request about a person and returns the phone number.
func ReadPhone(r *http.Request) (string, error) {
	req, err := ReadPerson(r)
	return req.Phone, err
}
