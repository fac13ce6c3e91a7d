-- +goose Up
-- A request for a token whose phone has an earlier request that still waits has its phone_mark in beside_mark. In the
-- release before, only one request of a phone can wait, because of the index arrivals_of_phone.
ALTER TABLE arrivals ADD COLUMN beside_mark bytea;
