-- +goose Up
-- If an earlier request of the same phone still waits, a request for a token has its phone_mark in beside_mark. In the
-- previous release only one request of a phone can wait, because of the index arrivals_of_phone.
ALTER TABLE arrivals ADD COLUMN beside_mark bytea;
