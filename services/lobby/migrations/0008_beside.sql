-- +goose Up
-- If an earlier request of a phone still waits, a later request has the phone's mark here instead of in phone_mark. The
-- unique index arrivals_of_phone remains: with it, the previous release lets only one request of a phone wait.
ALTER TABLE arrivals ADD COLUMN beside_mark bytea;
