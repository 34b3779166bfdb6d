-- As the sample's, for the tables of the workloads: forgets counts, reviews, accounts and what belongs to them.
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
