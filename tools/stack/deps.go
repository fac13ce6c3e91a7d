package stack

import "context"

// Dependencies are a PostgreSQL and a Redis for tests, without any of the product's programs.
type Dependencies struct {
	Postgres string // URL of the superuser
	Redis    string

	stack *Stack
}

// StartDependencies starts PostgreSQL, without durability, and Redis.
func StartDependencies(ctx context.Context, data string, progress *Progress) (*Dependencies, error) {
	s, err := open(Options{Data: data, Progress: progress, hasty: true})
	if err != nil {
		return nil, err
	}
	base, err := s.startServers(ctx)
	if err != nil {
		s.Stop()
		return nil, explain(err, s.folder.Path())
	}
	return &Dependencies{Postgres: base.Postgres, Redis: base.Redis, stack: s}, nil
}

// Stop stops both. Their data is kept.
func (d *Dependencies) Stop() { d.stack.Stop() }
