package directory

import (
	"context"
	"net/http"
	"slices"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/feed"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/wire"
)

// Routes returns the routes of the public listener.
func (s *Service) Routes() []endpoint.Route {
	const (
		reception  = contract.RoleReception
		pa         = contract.RolePA
		consultant = contract.RoleConsultant
		admin      = contract.RoleAdmin
	)
	staff := endpoint.Roles(reception, pa, consultant, admin)
	queues := endpoint.Roles(pa, consultant, admin).Owned("self")
	return slices.Concat(s.dueDateRoutes(), s.voiceRoutes(), s.office.Routes(), s.appointmentRoutes(), s.calendarRoutes(), []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/services", Access: staff, Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, s.listServices)},
		{Method: http.MethodPost, Pattern: "/api/services", Access: endpoint.Roles(admin), Limit: limit.Product,
			Handler: endpoint.JSON(readSaveService, s.createService)},
		{Method: http.MethodPut, Pattern: "/api/services/{id}", Access: endpoint.Roles(admin), Limit: limit.Product,
			Handler: endpoint.JSON(readSaveService, s.updateService)},
		{Method: http.MethodGet, Pattern: "/api/users/consultants", Access: queues, Limit: limit.Product,
			Handler: endpoint.JSON(feed.ReadSince, s.listConsultants)},
		{Method: http.MethodPut, Pattern: "/api/consultants/{id}", Access: endpoint.Roles(admin), Limit: limit.Product,
			Handler: endpoint.JSON(readSpecialize, s.updateConsultant)},
		{Method: http.MethodGet, Pattern: "/api/office", Access: endpoint.Public(),
			Handler: endpoint.Stream(s.serveOffice)},
	})
}

// InternalRoutes returns the routes of the internal listener, without the feed.
func (s *Service) InternalRoutes() []endpoint.Route {
	return append(slices.Concat(s.subjectRoutes(), s.office.InternalRoutes(), s.internalAppointmentRoutes()),
		s.anchorRoute(),
		s.anchorsRoute(),
		endpoint.Route{Method: http.MethodGet, Pattern: "/internal/services/{id}",
			Access:  endpoint.Service(contract.SourceVisits),
			Handler: endpoint.JSON(readID, s.oneService)},
		endpoint.Route{Method: http.MethodGet, Pattern: "/internal/consultants/{id}",
			Access:  endpoint.Service(contract.SourceVisits),
			Handler: endpoint.JSON(readID, s.oneConsultant)},
	)
}

func readID(r *http.Request) (string, error) { return r.PathValue("id"), nil }

func (s *Service) listServices(ctx context.Context, _ struct{}) (servicesAnswer, error) {
	caller, _ := identity.From(ctx)
	services, err := s.Services(ctx, caller.Role == contract.RoleAdmin)
	return servicesOf(services), err
}

func (s *Service) createService(ctx context.Context, req saveServiceRequest) (createdService, error) {
	service, err := s.AddService(ctx, req.Save)
	return createdService{serviceOf(service)}, err
}

func (s *Service) updateService(ctx context.Context, req saveServiceRequest) (serviceAnswer, error) {
	if !recordID(req.ID) {
		return serviceAnswer{}, fault.ErrNotFound
	}
	service, err := s.ChangeService(ctx, req.ID, req.Save)
	return serviceAnswer{serviceOf(service)}, err
}

func (s *Service) listConsultants(ctx context.Context, since feed.Since) (consultantsAnswer, error) {
	caller, _ := identity.From(ctx)
	var only *string
	if caller.Role == contract.RoleConsultant {
		only = &caller.ID
	}
	if since.Role != caller.Role {
		since = feed.Since{}
	}
	all, err := s.Consultants(ctx, only, since)
	all.Place.Role = caller.Role
	return consultantsOf(all), err
}

func (s *Service) updateConsultant(ctx context.Context, req specializeRequest) (consultantAnswer, error) {
	if !userID(req.ID) {
		return consultantAnswer{}, fault.ErrNotFound
	}
	after, err := s.Specialize(ctx, req.ID, req.Skills)
	if err != nil {
		return consultantAnswer{}, err
	}
	return consultantAnswer{Consultant: consultantOf(after.List[0]), at: after.At}, nil
}

// serveOffice writes the office document, or 304 if If-None-Match has its ETag.
func (s *Service) serveOffice(w http.ResponseWriter, r *http.Request) error {
	document, err := s.Office(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "public, max-age=0, must-revalidate")
	answer := document.Document.Public(document.Version)
	return wire.WriteTagged(w, r, answer, answer)
}

func (s *Service) oneService(ctx context.Context, id string) (serviceBody, error) {
	if !recordID(id) {
		return serviceBody{}, fault.ErrNotFound
	}
	service, err := s.Service(ctx, id)
	return serviceOf(service), err
}

func (s *Service) oneConsultant(ctx context.Context, id string) (contract.Consultant, error) {
	if !userID(id) {
		return contract.Consultant{}, fault.ErrNotFound
	}
	return s.Consultant(ctx, id)
}
