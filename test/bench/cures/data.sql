CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL);
INSERT INTO customers SELECT n, 'customer ' || n FROM generate_series(0, 5000) n;
CREATE TABLE orders (id int PRIMARY KEY, customer int NOT NULL, note text NOT NULL);
INSERT INTO orders SELECT n, n % 5000, md5((n % 20000)::text) FROM generate_series(1, 60000) n;
CREATE TABLE counters (id int PRIMARY KEY, n bigint NOT NULL);
INSERT INTO counters VALUES (0, 0), (1, 0);
ANALYZE;
