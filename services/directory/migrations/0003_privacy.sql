-- +goose Up
ALTER TABLE appointments ADD COLUMN erased_at timestamptz;
ALTER TABLE appointments ALTER COLUMN phone DROP NOT NULL;
ALTER TABLE appointments ADD CHECK (phone IS NOT NULL OR erased_at IS NOT NULL);

CREATE INDEX appointments_by_phone ON appointments (phone);
-- Retention finds appointment requests by their age.
CREATE INDEX appointments_not_erased ON appointments (created_at) WHERE erased_at IS NULL;
