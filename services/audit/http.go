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

// perExport is the rate of exports (services/docs/limits.md).
var perExport = limit.Rule{Name: "export", By: limit.PerUser, Count: 10, Period: time.Hour, Burst: 10}

// Routes returns the routes of the public listener.
func (s *Service) Routes() []endpoint.Route {
	staff := endpoint.Roles(contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin)
	admin := endpoint.Roles(contract.RoleAdmin)
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/analytics/dashboard", Access: staff, Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, s.getDashboard)},
		{Method: http.MethodGet, Pattern: "/api/analytics/audit", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(decodeRead, s.listRecords)},
		{Method: http.MethodGet, Pattern: "/api/analytics/export",
			Access: admin.Fresh(contract.FreshSession), Limit: perExport, Handler: endpoint.Stream(s.exportVisitors)},
		{Method: http.MethodGet, Pattern: "/api/analytics/consultants/{id}", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(s.decodeConsultantFigures, s.consultantFigures)},
		{Method: http.MethodGet, Pattern: "/api/analytics/services/{id}", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(s.decodeServiceFigures, s.serviceFigures)},
		{Method: http.MethodGet, Pattern: "/api/analytics/period", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(s.decodePeriod, s.getPeriod)},
		{Method: http.MethodGet, Pattern: "/api/analytics/register", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(s.decodeRegister, s.getRegister)},
		{Method: http.MethodGet, Pattern: "/api/analytics/backup", Access: admin, Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, s.getBackup)},
	}
}

// headerRows is the header with the number of visits in the file, from which a client can show progress.
const headerRows = "X-Row-Count"

func (s *Service) getDashboard(ctx context.Context, _ struct{}) (dashboardAnswer, error) {
	d, err := s.Dashboard(ctx)
	return dashboardOf(d), err
}

func (s *Service) listRecords(ctx context.Context, req readRequest) (trailAnswer, error) {
	trail, err := s.Read(ctx, req.Filter, req.Page, req.Limit)
	return trailOf(trail, req), err
}

func (s *Service) consultantFigures(ctx context.Context, req figuresRequest) (figuresAnswer, error) {
	f, err := s.ConsultantFigures(ctx, req.ID, req.Days)
	return figuresOf(f), err
}

func (s *Service) serviceFigures(ctx context.Context, req figuresRequest) (figuresAnswer, error) {
	f, err := s.ServiceFigures(ctx, req.ID, req.Days)
	return figuresOf(f), err
}

func (s *Service) getPeriod(ctx context.Context, days Days) (periodAnswer, error) {
	c, err := s.Compare(ctx, days)
	return periodOf(c), err
}

func (s *Service) getRegister(ctx context.Context, day string) (registerAnswer, error) {
	register, err := s.DayRegister(ctx, day)
	return registerOf(register), err
}

func (s *Service) exportVisitors(w http.ResponseWriter, r *http.Request) error {
	days, detail, err := s.decodeExport(r.Context(), r.URL.Query())
	if err != nil {
		return err
	}
	out := &chunkWriter{w: w, control: http.NewResponseController(w)}
	defer out.release()
	begun := false
	err = s.Export(r.Context(), days, detail, func(at feed.Position, visits int) io.Writer {
		begun = true
		header := w.Header()
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="visitors_`+days.Start+`_`+days.End+`.csv"`)
		header.Set(headerRows, strconv.Itoa(visits))
		header.Set(feed.HeaderSeq, at.Header(contract.SourceVisits))
		return out
	})
	if err != nil && begun {
		s.log.WarnContext(r.Context(), "an export failed", "cause", err)
		panic(http.ErrAbortHandler) // a client must not take an incomplete file for a complete one
	}
	return err
}

// chunkTimeout is the write timeout of one chunk of a file: a stalled client must not hold the snapshot.
const chunkTimeout = 30 * time.Second

// chunkWriter writes a long answer with a deadline for each chunk.
type chunkWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// Write implements io.Writer.
func (c *chunkWriter) Write(data []byte) (int, error) {
	_ = c.control.SetWriteDeadline(time.Now().Add(chunkTimeout)) // some writers do not support deadlines
	return c.w.Write(data)
}

// release removes the write deadline, because the connection may be reused.
func (c *chunkWriter) release() { _ = c.control.SetWriteDeadline(time.Time{}) }
