INSERT INTO assigned_visits
SELECT p.id, p.consultant, p.status, p.ended FROM {past} p WHERE p.consultant IS NOT NULL
