-- +goose Up
-- Bounds for the values that a paired desk notes without network: the users who were at the desk, the numbers that it
-- had issued before its contacts with the service, and the notices that the office has had. A replica of the previous
-- release writes none of these rows, so contacts with it set no bounds. If the author of a visit is then not the
-- sender, the visit is recorded as the sender's.
ALTER TABLE visits
  ADD COLUMN sent_by text,      -- user who sent the visit from a paired desk; NULL if none did
  ADD COLUMN sent_by_name text;
ALTER TABLE desk_leases ADD COLUMN refused_no integer NOT NULL DEFAULT 0; -- the largest refused number

-- The users who were at a paired desk at one of its contacts with the service.
CREATE TABLE desk_people (
  device_id uuid NOT NULL REFERENCES offline_desks (device_id),
  user_id   text NOT NULL,
  name      text NOT NULL,
  seen_at   timestamptz NOT NULL,
  PRIMARY KEY (device_id, user_id)
);
CREATE INDEX desk_people_by_time ON desk_people (seen_at);

-- Contacts at which a paired desk had unsent visits. At first_at the desk had issued the numbers up to upto; at last_at
-- it had not issued larger numbers. The next contact without unsent visits deletes the rows.
CREATE TABLE desk_contacts (
  device_id uuid NOT NULL,
  day       date NOT NULL,
  upto      integer NOT NULL,
  first_at  timestamptz NOT NULL,
  last_at   timestamptz NOT NULL,
  PRIMARY KEY (device_id, day, upto),
  FOREIGN KEY (device_id, day) REFERENCES desk_leases (device_id, day) ON DELETE CASCADE
);

-- The versions of the privacy notice that the office has had. The current version is in the table office.
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
