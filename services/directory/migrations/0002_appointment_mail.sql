-- +goose Up
-- When the mail about a request is due; NULL: it was sent, the request was erased, or no mail server was configured.
ALTER TABLE appointments ADD COLUMN mail_due timestamptz;
CREATE INDEX appointments_mail_due ON appointments (mail_due) WHERE mail_due IS NOT NULL;
