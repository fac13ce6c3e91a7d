-- +goose Up
-- The bounds for the visits that a paired desk without network sends: who was at the desk, which numbers it had issued
-- at its contacts, and which notices the office has had. A replica of the release before writes none of them, so its
-- contacts set no bounds. If the author of a visit is then not the sender, the visit is recorded as the sender's.
ALTER TABLE visits
  ADD COLUMN sent_by text,      -- the user who sent what a paired desk had noted; NULL for visits of T alone
  ADD COLUMN sent_by_name text;
ALTER TABLE desk_leases ADD COLUMN refused_no integer NOT NULL DEFAULT 0; -- the greatest number that was refused

-- The users who were at a paired desk at a contact.
CREATE TABLE desk_people (
  device_id uuid NOT NULL REFERENCES offline_desks (device_id),
  user_id   text NOT NULL,
  name      text NOT NULL,
  seen_at   timestamptz NOT NULL,
  PRIMARY KEY (device_id, user_id)
);
CREATE INDEX desk_people_by_time ON desk_people (seen_at);

-- Contacts at which a paired desk had something unsent. At last_at it had issued no number above upto, at first_at it
-- had issued the numbers up to upto. The next contact with nothing unsent deletes them.
CREATE TABLE desk_contacts (
  device_id uuid NOT NULL,
  day       date NOT NULL,
  upto      integer NOT NULL,
  first_at  timestamptz NOT NULL,
  last_at   timestamptz NOT NULL,
  PRIMARY KEY (device_id, day, upto),
  FOREIGN KEY (device_id, day) REFERENCES desk_leases (device_id, day) ON DELETE CASCADE
);

-- The versions of the privacy notice that the office has had, beside the current one of the table office.
CREATE TABLE notice_versions (
  version text PRIMARY KEY
);
INSERT INTO notice_versions SELECT DISTINCT notice_version FROM visits WHERE token_series = 'T';

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON desk_people, desk_contacts TO %I',
    current_setting('baari.app_role'));
  EXECUTE format('GRANT SELECT, INSERT ON notice_versions TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
