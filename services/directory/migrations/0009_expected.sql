-- +goose Up
-- The requests of one day.
CREATE INDEX appointments_by_date ON appointments (preferred_date, created_at DESC, id DESC);
