package directory

import (
	"context"
	"net/http"
	"time"

	"baari.dev/services/contract"
	"baari.dev/services/platform/endpoint"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/identity"
	"baari.dev/services/platform/limit"
)

// perAddress is the rate of appointment requests (api.md section 4).
var perAddress = limit.Rule{Name: "appointments", By: limit.PerAddress, Count: 5, Period: time.Hour, Burst: 5}

// Routes is everything directory answers behind the gateway.
func (d *Directory) Routes() []endpoint.Route {
	const (
		reception  = contract.RoleReception
		pa         = contract.RolePA
		consultant = contract.RoleConsultant
		admin      = contract.RoleAdmin
	)
	return []endpoint.Route{
		{Method: http.MethodGet, Pattern: "/api/services", Access: endpoint.Roles(reception, pa, consultant, admin), Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, d.listServices)},
		{Method: http.MethodPost, Pattern: "/api/services", Access: endpoint.Roles(admin), Limit: limit.Product,
			Handler: endpoint.JSON(readSaveService, d.createService)},
		{Method: http.MethodPut, Pattern: "/api/services/{id}", Access: endpoint.Roles(admin), Limit: limit.Product,
			Handler: endpoint.JSON(readSaveService, d.updateService)},
		{Method: http.MethodGet, Pattern: "/api/users/consultants", Access: endpoint.Roles(pa, consultant, admin).Owned("self"), Limit: limit.Product,
			Handler: endpoint.JSON(endpoint.Nothing, d.listConsultants)},
		{Method: http.MethodPut, Pattern: "/api/consultants/{id}", Access: endpoint.Roles(admin), Limit: limit.Product,
			Handler: endpoint.JSON(readSpecialize, d.updateConsultant)},
		{Method: http.MethodGet, Pattern: "/api/office", Access: endpoint.Public(),
			Handler: endpoint.JSON(endpoint.Nothing, d.getOffice)},
		{Method: http.MethodPost, Pattern: "/api/appointments", Access: endpoint.Public(), Limit: perAddress,
			Handler: endpoint.JSON(d.readAppointment, d.requestAppointment)},
		{Method: http.MethodGet, Pattern: "/api/appointments", Access: endpoint.Roles(reception, admin), Limit: limit.Product,
			Handler: endpoint.JSON(readList, d.listAppointments)},
		{Method: http.MethodPut, Pattern: "/api/appointments/{id}", Access: endpoint.Roles(reception, admin), Limit: limit.Product,
			Handler: endpoint.JSON(readChange, d.changeAppointment)},
	}
}

// InternalRoutes returns the routes of the internal listener, without the feed.
func (d *Directory) InternalRoutes() []endpoint.Route {
	return append(d.subjectRoutes(), []endpoint.Route{
		anchorRoute(d),
		{Method: http.MethodGet, Pattern: "/internal/services/{id}", Access: endpoint.Service(),
			Handler: endpoint.JSON(readID, d.oneService)},
		{Method: http.MethodGet, Pattern: "/internal/consultants/{id}", Access: endpoint.Service(),
			Handler: endpoint.JSON(readID, d.oneConsultant)},
	}...)
}

func readID(r *http.Request) (string, error) { return r.PathValue("id"), nil }

func (d *Directory) listServices(ctx context.Context, _ struct{}) (servicesAnswer, error) {
	caller, _ := identity.From(ctx)
	services, err := d.Services(ctx, caller.Role == contract.RoleAdmin)
	return servicesOf(services), err
}

func (d *Directory) createService(ctx context.Context, req saveServiceRequest) (createdService, error) {
	service, err := d.AddService(ctx, req.Save)
	return createdService{serviceOf(service)}, err
}

func (d *Directory) updateService(ctx context.Context, req saveServiceRequest) (serviceAnswer, error) {
	if !recordID(req.ID) {
		return serviceAnswer{}, fault.ErrNotFound
	}
	service, err := d.ChangeService(ctx, req.ID, req.Save)
	return serviceAnswer{serviceOf(service)}, err
}

func (d *Directory) listConsultants(ctx context.Context, _ struct{}) (consultantsAnswer, error) {
	caller, _ := identity.From(ctx)
	var only *string
	if caller.Role == contract.RoleConsultant {
		only = &caller.ID
	}
	all, err := d.Consultants(ctx, only)
	return consultantsOf(all), err
}

func (d *Directory) updateConsultant(ctx context.Context, req specializeRequest) (consultantAnswer, error) {
	if !userID(req.ID) {
		return consultantAnswer{}, fault.ErrNotFound
	}
	after, err := d.Specialize(ctx, req.ID, req.Specialization)
	if err != nil {
		return consultantAnswer{}, err
	}
	return consultantAnswer{Consultant: consultantOf(after.List[0]), at: after.At}, nil
}

func (d *Directory) getOffice(ctx context.Context, _ struct{}) (officeAnswer, error) {
	document, err := d.Office(ctx)
	return officeAnswer{document}, err
}

func (d *Directory) requestAppointment(ctx context.Context, asked contract.Appointment) (createdAppointment, error) {
	made, err := d.RequestAppointment(ctx, asked)
	return createdAppointment{made}, err
}

func (d *Directory) listAppointments(ctx context.Context, req listRequest) (appointmentsAnswer, error) {
	found, err := d.Appointments(ctx, req.Status, req.Page, req.Limit)
	return appointmentsOf(found, req), err
}

func (d *Directory) changeAppointment(ctx context.Context, req changeRequest) (appointmentAnswer, error) {
	if !recordID(req.ID) {
		return appointmentAnswer{}, fault.ErrNotFound
	}
	changed, err := d.ChangeAppointment(ctx, req.ID, req.To)
	return appointmentAnswer{changed}, err
}

func (d *Directory) oneService(ctx context.Context, id string) (serviceBody, error) {
	if !recordID(id) {
		return serviceBody{}, fault.ErrNotFound
	}
	service, err := d.Service(ctx, id)
	return serviceOf(service), err
}

func (d *Directory) oneConsultant(ctx context.Context, id string) (contract.Consultant, error) {
	if !userID(id) {
		return contract.Consultant{}, fault.ErrNotFound
	}
	return d.Consultant(ctx, id)
}
