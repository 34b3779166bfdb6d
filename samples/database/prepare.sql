-- Brings the data back to the seeded state, and does nothing to a table that is in it: takes out what POST /ads has added, and numbers new rows
-- from 100001 again.
DELETE FROM ads WHERE id > 100000;
SELECT setval(pg_get_serial_sequence('ads', 'id'), 100000);
