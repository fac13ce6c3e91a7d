package offline

import (
	"net/http"
	"regexp"
	"strings"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/catalog"
	"baari.dev/services/visits/queue"
	"baari.dev/services/visits/visit"
)

// HeaderDevice is the header with the token of the paired desk. The request has the user's bearer token as well.
const HeaderDevice = "Baari-Device"

// Routes returns the routes of paired desks.
func (d *Desks) Routes() []endpoint.Route {
	access := endpoint.Roles(contract.RoleReception, contract.RoleAdmin)
	return []endpoint.Route{
		{
			Method: http.MethodPost, Pattern: "/api/visits/offline/lease", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(readLease, d.Lease),
		},
		{
			Method: http.MethodPost, Pattern: "/api/visits/offline", Access: access, Limit: limit.Product,
			Handler: endpoint.JSON(readSend, d.SendOffline),
		},
	}
}

// Limits of a request of a paired desk.
const (
	mostOffline    = 20
	longestService = 200
	longestVersion = 64
	greatestToken  = 99_999
)

var (
	unsentWrong = fault.NewMessage(fault.CodeInvalidNumber, "The number of unsent visits is a number from 0").
			With("min", 0)
	seriesWrong  = fault.NewMessage(fault.CodeUnknownChoice, "The series is the letter of the desk")
	dayWrong     = fault.NewMessage(fault.CodeInvalidDate, "The day is a date such as 2026-11-20")
	offlineWrong = fault.NewMessage(fault.CodeRequired,
		"Each visit has a number, a key, who made it and when the visitor came, in the order of the numbers")
	offlineMany = fault.NewMessage(fault.CodeTooMany, "At most 20 visits at once.").With("max", mostOffline)
)

// leaseDesk is a validated request of a paired desk to lease its days. Unsent is the desk's number of unsent visits.
type leaseDesk struct {
	Unsent int
	token  string
}

func readLease(r *http.Request) (leaseDesk, error) {
	var body struct {
		Unsent wire.Field[int] `json:"unsent"`
	}
	if err := wire.Read(r, &body); err != nil {
		return leaseDesk{}, err
	}
	var rejected fault.Fields
	if !body.Unsent.Present || body.Unsent.Wrong || body.Unsent.Value < 0 {
		rejected.Reject("unsent", unsentWrong)
	}
	return leaseDesk{body.Unsent.Value, r.Header.Get(HeaderDevice)}, rejected.Err()
}

// sendOffline is a validated request of a paired desk with visits of one day, in the order of their numbers.
type sendOffline struct {
	Series, Day string
	Visits      []offlineVisit
	token       string
}

type offlineVisitBody struct {
	queue.FormBody
	Number        wire.Field[int]       `json:"number"`
	Key           wire.Field[string]    `json:"key"`
	MadeBy        wire.Field[string]    `json:"made_by"`
	ServiceName   wire.Field[string]    `json:"service_name"`
	NoticeVersion wire.Field[string]    `json:"notice_version"`
	ArrivedAt     wire.Field[wire.Time] `json:"arrived_at"`
	LeftAt        wire.Field[wire.Time] `json:"left_at"`
}

func readSend(r *http.Request) (sendOffline, error) {
	var body struct {
		Series wire.Field[string] `json:"series"`
		Day    wire.Field[string] `json:"day"`
		Visits []offlineVisitBody `json:"visits"`
	}
	if err := wire.Read(r, &body); err != nil {
		return sendOffline{}, err
	}
	req := sendOffline{Series: body.Series.Value, Day: body.Day.Value, token: r.Header.Get(HeaderDevice)}
	var rejected fault.Fields
	if len(req.Series) != 1 || !strings.Contains(deskSeries, req.Series) {
		rejected.Reject("series", seriesWrong)
	}
	if _, err := time.Parse(time.DateOnly, req.Day); err != nil {
		rejected.Reject("day", dayWrong)
	}
	if len(body.Visits) > mostOffline {
		rejected.Reject("visits", offlineMany)
	}
	last := 0
	for _, one := range body.Visits {
		read, ok := readOfflineVisit(one)
		if !ok || read.Number <= last {
			rejected.Reject("visits", offlineWrong)
		}
		last = read.Number
		req.Visits = append(req.Visits, read)
	}
	if len(body.Visits) == 0 {
		rejected.Reject("visits", offlineWrong)
	}
	return req, rejected.Err()
}

var offlineKeyForm = regexp.MustCompile(`^[!-~]{8,128}$`)

// readOfflineVisit reads a visit. ok is false if the number, the key, the author, a time or the notice's version is
// invalid; the request is then rejected. If any other value is invalid, only this visit is refused.
func readOfflineVisit(body offlineVisitBody) (noted offlineVisit, ok bool) {
	var typed fault.Fields
	service := wire.Clean(body.ServiceName.Value, false)
	noted = offlineVisit{
		Number: body.Number.Value, Key: body.Key.Value, MadeBy: body.MadeBy.Value, ServiceName: service.Value,
		NoticeVersion: body.NoticeVersion.Value, ArrivedAt: time.Time(body.ArrivedAt.Value),
	}
	if body.LeftAt.Present {
		left := time.Time(body.LeftAt.Value)
		noted.LeftAt = &left
	}
	noted.create = queue.ReadRegistration(body.FormBody, &typed)
	noted.create.AppointmentID = "" // appointments are not known without network
	noted.create.ServiceID = validUUID(noted.create.ServiceID)
	noted.invalid = typed.Err() != nil || noted.create.ServiceID == "" || service.Empty || service.Illegal ||
		service.Length > longestService
	ok = noted.Number >= 1 && noted.Number <= greatestToken && offlineKeyForm.MatchString(noted.Key) &&
		catalog.UserID(noted.MadeBy) && body.ArrivedAt.Present && !body.ArrivedAt.Wrong && !body.LeftAt.Wrong &&
		len(noted.NoticeVersion) <= longestVersion && !wire.Clean(noted.NoticeVersion, false).Illegal
	return noted, ok
}

func (o offlineVisit) token(series string) string { return visit.Token(series, o.Number) }
