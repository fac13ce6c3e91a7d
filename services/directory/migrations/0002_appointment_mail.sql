-- +goose Up
-- When a request is to be mailed to the office next; NULL: it has been, or no mail server was set up when it came.
ALTER TABLE appointments ADD COLUMN mail_due timestamptz;
CREATE INDEX appointments_mail_due ON appointments (mail_due) WHERE mail_due IS NOT NULL;
