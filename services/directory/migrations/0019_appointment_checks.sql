-- +goose Up
ALTER TABLE appointments VALIDATE CONSTRAINT appointments_status_known;
ALTER TABLE appointments VALIDATE CONSTRAINT appointments_source_known;
ALTER TABLE appointments VALIDATE CONSTRAINT appointments_place_held;
