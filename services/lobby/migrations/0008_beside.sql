-- +goose Up
-- A request for a token stands beside an earlier one of the same phone that waits: its phone_mark is in beside_mark. The
-- release before has one a phone that waits, by its index arrivals_of_phone.
ALTER TABLE arrivals ADD COLUMN beside_mark bytea;
