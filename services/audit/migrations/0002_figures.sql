-- +goose Up
-- Figures of one consultant or one service are found by id. The projection is rebuilt, so that stored visits get these
-- ids.
ALTER TABLE visits ADD COLUMN service_id text, ADD COLUMN consultant_id text;
CREATE INDEX visits_by_service ON visits (service_id, day);
CREATE INDEX visits_by_consultant ON visits (consultant_id, day);

TRUNCATE visits, daily_statistics, daily_arrivals;
UPDATE feed_cursor SET epoch = '', seq = 0 WHERE source = 'visits';
