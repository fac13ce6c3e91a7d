-- +goose Up
-- A delivery whose outcome is not known has a state of its own: it is never sent again. The release before uses the
-- state failed with the code unknown for it.
ALTER TABLE deliveries ADD CONSTRAINT deliveries_state
  CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'dropped')) NOT VALID;
ALTER TABLE deliveries DROP CONSTRAINT deliveries_state_check;
ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_state;
