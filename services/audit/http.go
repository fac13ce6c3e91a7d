package audit

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/limit"
)

// perExport is the rate of exports (reliability.md S6).
var perExport = limit.Rule{Name: "export", By: limit.PerUser, Count: 10, Period: time.Hour, Burst: 10}

// Routes is everything audit answers behind the gateway.
func (a *Audit) Routes() []endpoint.Route {
	staff := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin)
	admin := endpoint.Roles(contract.RoleAdmin)
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/analytics/dashboard", Access: staff, Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, a.getDashboard)},
		{Method: http.MethodGet, Pattern: "/api/analytics/audit", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(decodeRead, a.listRecords)},
		{Method: http.MethodGet, Pattern: "/api/analytics/export", Access: admin, Limit: perExport,
			Handler: endpoint.Stream(a.exportVisitors)},
		{Method: http.MethodGet, Pattern: "/api/analytics/consultants/{id}", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(a.decodeConsultantFigures, a.consultantFigures)},
		{Method: http.MethodGet, Pattern: "/api/analytics/services/{id}", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(a.decodeServiceFigures, a.serviceFigures)},
	}
}

// headerRows is the header with the number of visits in the file, for progress indication.
const headerRows = "X-Row-Count"

func (a *Audit) getDashboard(ctx context.Context, _ struct{}) (dashboardAnswer, error) {
	d, err := a.Dashboard(ctx)
	return dashboardOf(d), err
}

func (a *Audit) listRecords(ctx context.Context, req readRequest) (trailAnswer, error) {
	trail, err := a.Read(ctx, req.Filter, req.Page, req.Limit)
	return trailOf(trail, req), err
}

func (a *Audit) consultantFigures(ctx context.Context, req figuresRequest) (figuresAnswer, error) {
	f, err := a.ConsultantFigures(ctx, req.ID, req.Days)
	return figuresOf(f), err
}

func (a *Audit) serviceFigures(ctx context.Context, req figuresRequest) (figuresAnswer, error) {
	f, err := a.ServiceFigures(ctx, req.ID, req.Days)
	return figuresOf(f), err
}

func (a *Audit) exportVisitors(w http.ResponseWriter, r *http.Request) error {
	days, err := a.decodeDays(r.Context(), r.URL.Query())
	if err != nil {
		return err
	}
	out := &patient{w: w, control: http.NewResponseController(w)}
	defer out.release()
	begun := false
	err = a.Export(r.Context(), days, func(at feed.Position, visits int) io.Writer {
		begun = true
		header := w.Header()
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="visitors_`+days.Start+`_`+days.End+`.csv"`)
		header.Set(headerRows, strconv.Itoa(visits))
		header.Set(feed.HeaderSeq, at.Header(contract.SourceVisits))
		return out
	})
	if err != nil && begun {
		a.log.WarnContext(r.Context(), "export broken off", "cause", err)
		panic(http.ErrAbortHandler) // the client must not take half a file for a complete one
	}
	return err
}

// patience is the write timeout of one chunk of a file: a stalled client must not hold the snapshot.
const patience = 30 * time.Second

// patient writes a long answer with a deadline for each piece.
type patient struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// Write implements io.Writer.
func (p *patient) Write(data []byte) (int, error) {
	_ = p.control.SetWriteDeadline(time.Now().Add(patience)) // not every connection has one
	return p.w.Write(data)
}

// release removes the write deadline, because the connection may be reused.
func (p *patient) release() { _ = p.control.SetWriteDeadline(time.Time{}) }
