package privacy

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"baari.dev/services/contract"
	"baari.dev/services/operate/subject"
	"baari.dev/services/platform/outbox"
	"baari.dev/services/platform/postgres"
	"baari.dev/services/platform/wire"
)

// Erasures that an admin has started. They run in the background. Their progress is stored, so that any replica can
// return it; the person is not stored.

const (
	erasureRunning = "running"
	erasureDone    = "done"
	erasureFailed  = "failed"
)

// erasureLimit bounds an erasure. If the progress of an erasure has not changed for this time, the erasure has failed,
// because its replica has ended. The erasure can be repeated.
const erasureLimit = 3 * time.Minute

type erasure struct {
	ID        string           `json:"id"`
	State     string           `json:"state"`
	StartedAt wire.Time        `json:"startedAt"`
	Services  []erasureService `json:"services"`
}

// erasureService is the progress in one service. Erased is the number of erased rows once Done is set.
type erasureService struct {
	Name   string `json:"name"`
	Done   bool   `json:"done"`
	Erased int    `json:"erased"`
}

type erasureAnswer struct {
	Erasure erasure `json:"erasure"`
}

// Erasure returns the progress of an erasure. Errors: not_found.
func (p *Privacy) Erasure(ctx context.Context, id string) (erasureAnswer, error) {
	found, err := p.store.erasure(ctx, id)
	return erasureAnswer{found}, postgres.Classify(err)
}

// beginErasure stores that an erasure has begun, and starts it in the background.
func (p *Privacy) beginErasure(ctx context.Context, req useSubject) (begun erasure, err error) {
	begun = erasure{ID: uuid.Must(uuid.NewV7()).String(), State: erasureRunning}
	use := req.use(subject.Counts{})
	use.ID = begun.ID
	err = p.outbox.InTx(ctx, func(tx pgx.Tx) error {
		if err := p.store.addErasure(ctx, tx, &begun, use); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, useChange(contract.PrivacyErasureStarted, use))
	})
	if err != nil {
		return begun, err
	}
	begun.Services = progressOf(nil)
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), erasureLimit)
	p.erasures.Go(func() {
		defer cancel()
		p.carryOut(work, req.Phone, use)
	})
	return begun, nil
}

// carryOut erases the person and stores the progress after each step. It ignores errors in storing a step, because the
// last write stores the progress of all services.
func (p *Privacy) carryOut(ctx context.Context, phone string, use contract.PrivacyUse) {
	done := map[string]int{}
	report, err := subject.Erase(ctx, p.servicesFor(ctx), phone, func(step subject.Step) {
		done[step.Service] = step.Erased
		_ = p.store.noteErasure(ctx, p.store.Pool, use.ID, erasureRunning, done)
	})
	use.Visits, use.Appointments = report.Visits, report.Appointments
	use.Arrivals, use.Notifications = report.Arrivals, report.Notifications
	state, kind := erasureDone, contract.PrivacyErasureFinished
	if err != nil {
		state, kind = erasureFailed, contract.PrivacyErasureFailed
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_ = p.outbox.InTx(last, func(tx pgx.Tx) error {
		if err := p.store.noteErasure(last, tx, use.ID, state, done); err != nil {
			return err
		}
		return outbox.Append(last, tx, useChange(kind, use))
	})
}

// progressOf lists the services in the order in which they erase.
func progressOf(done map[string]int) []erasureService {
	services := make([]erasureService, len(subject.Steps))
	for i, name := range subject.Steps {
		erased, finished := done[name]
		services[i] = erasureService{name, finished, erased}
	}
	return services
}

// AwaitErasures waits for the running erasures. Tests use it.
func (p *Privacy) AwaitErasures() { p.erasures.Wait() }
