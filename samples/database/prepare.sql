-- Brings the data back to the seeded state, and does nothing to tables that are in it: takes out what POST /ads has added, numbers new rows
-- from 100001 again, and forgets counts, reviews, accounts and what belongs to them.
DELETE FROM ads WHERE id > 100000;
SELECT setval(pg_get_serial_sequence('ads', 'id'), 100000);

UPDATE counters SET value = 0 WHERE value <> 0;

DO $$
BEGIN
  IF EXISTS (SELECT FROM reviews WHERE id > 200) OR (SELECT count(*) FROM reviews) <> 200 THEN
    CALL seed_reviews();
  END IF;
  IF EXISTS (SELECT FROM accounts) THEN
    TRUNCATE uploads, sessions, accounts RESTART IDENTITY;
  END IF;
END
$$;
