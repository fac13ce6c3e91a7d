package endpoint

import (
	"context"
	"net/http"
	"time"

	"github.com/go-kit/kit/endpoint"
	kithttp "github.com/go-kit/kit/transport/http"

	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/wire"
)

// answerLimit is the timeout of a method. It is shorter than the gateway's timeout, so that the service responds first.
const answerLimit = 8 * time.Second

// Handler serves one route after its access was checked. Only JSON and Stream make a Handler.
type Handler struct {
	make func(writeError kithttp.ErrorEncoder) http.Handler
}

// IsZero reports whether the handler serves nothing.
func (h Handler) IsZero() bool { return h.make == nil }

// JSON adapts a typed method: decode reads the request, and the response of method is written as JSON. A response can
// set its status by implementing kithttp.StatusCoder and add headers by kithttp.Headerer.
func JSON[Req, Resp any](
	decode func(*http.Request) (Req, error),
	method func(context.Context, Req) (Resp, error),
	around ...endpoint.Middleware,
) Handler {
	call := func(ctx context.Context, request any) (any, error) {
		ctx, err := authorizeLate(ctx)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(ctx, answerLimit)
		defer cancel()
		return method(ctx, request.(Req))
	}
	return Handler{make: func(writeError kithttp.ErrorEncoder) http.Handler {
		chain := endpoint.Endpoint(call)
		for i := len(around) - 1; i >= 0; i-- {
			chain = around[i](chain)
		}
		return kithttp.NewServer(chain,
			func(_ context.Context, r *http.Request) (any, error) { return decode(r) },
			encode, kithttp.ServerErrorEncoder(writeError))
	}}
}

// Stream lets handler write the response itself, for live streams and file downloads. An error that handler returns
// before it writes becomes an error response.
func Stream(handler func(http.ResponseWriter, *http.Request) error) Handler {
	return Handler{make: func(writeError kithttp.ErrorEncoder) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, err := authorizeLate(r.Context())
			if err == nil {
				err = handler(w, r.WithContext(ctx))
			}
			if err != nil {
				writeError(ctx, err, w)
			}
		})
	}}
}

// Nothing is the decode function of a request that has neither a body nor parameters.
func Nothing(*http.Request) (struct{}, error) { return struct{}{}, nil }

// Body decodes a JSON object into Req.
func Body[Req any](r *http.Request) (Req, error) {
	var req Req
	err := wire.Read(r, &req)
	return req, err
}

func encode(_ context.Context, w http.ResponseWriter, response any) error {
	if with, ok := response.(kithttp.Headerer); ok {
		for name, values := range with.Headers() {
			w.Header()[name] = values
		}
	}
	status := http.StatusOK
	if coded, ok := response.(kithttp.StatusCoder); ok {
		status = coded.StatusCode()
	}
	if status == http.StatusNoContent {
		w.WriteHeader(status)
		return nil
	}
	if err := wire.Write(w, status, response); err != nil {
		return fault.ErrInternal.Because(err)
	}
	return nil
}
