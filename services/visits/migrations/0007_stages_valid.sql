-- +goose NO TRANSACTION
-- +goose Up
-- Validation reads the table without blocking writes. The code does not depend on it.
ALTER TABLE visits VALIDATE CONSTRAINT visits_status_of_stage;
ALTER TABLE visits VALIDATE CONSTRAINT visits_stage_known;
ALTER TABLE visits VALIDATE CONSTRAINT visits_stage_set;
ALTER TABLE visits VALIDATE CONSTRAINT visits_class;
ALTER TABLE visits VALIDATE CONSTRAINT visits_consultant;
ALTER TABLE visits VALIDATE CONSTRAINT visits_due;
ALTER TABLE visits VALIDATE CONSTRAINT visits_called;
ALTER TABLE visits VALIDATE CONSTRAINT visits_sitting;
