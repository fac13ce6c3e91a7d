-- +goose Up
-- A delivery whose outcome is not known has a state of its own, because it is never sent again. The previous release
-- stores such a delivery in the state "failed" with the error "unknown".
ALTER TABLE deliveries ADD CONSTRAINT deliveries_state
  CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'dropped')) NOT VALID;
ALTER TABLE deliveries DROP CONSTRAINT deliveries_state_check;
ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_state;
