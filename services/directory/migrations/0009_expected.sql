-- +goose Up
-- Index for the appointment requests for one day.
CREATE INDEX appointments_by_date ON appointments (preferred_date, created_at DESC, id DESC);
