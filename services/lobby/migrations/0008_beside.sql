-- +goose Up
-- If an earlier request of a phone still waits, a later request has the phone's mark here instead of in phone_mark. In
-- the previous release only one request of a phone can wait, because of the index arrivals_of_phone.
ALTER TABLE arrivals ADD COLUMN beside_mark bytea;
