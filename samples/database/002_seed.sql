-- 20 categories, 2,000 sellers and 100,000 advertisements, the same on every machine: no random numbers and no clock.
-- h and g spread the row number over the whole range by multiplicative hashing (Knuth, The Art of Computer Programming 3, section 6.4);
-- the high bits are used, since the low ones hardly change. The times are spread over two years in another order than the ids.

INSERT INTO categories (id, slug, name)
SELECT position, slug, name
FROM unnest(
  ARRAY['bicycles', 'books', 'cameras', 'cars', 'clothing', 'computers', 'furniture', 'games', 'garden', 'instruments',
        'jobs', 'kitchen', 'pets', 'phones', 'real-estate', 'services', 'sports', 'tickets', 'tools', 'toys'],
  ARRAY['Bicycles', 'Books', 'Cameras', 'Cars', 'Clothing', 'Computers', 'Furniture', 'Games', 'Garden', 'Instruments',
        'Jobs', 'Kitchen', 'Pets', 'Phones', 'Real estate', 'Services', 'Sports', 'Tickets', 'Tools', 'Toys']
) WITH ORDINALITY AS listed (slug, name, position);

INSERT INTO sellers (id, name, city, rating)
SELECT
  i,
  (ARRAY['Ada', 'Björn', 'Chloé', 'Dmitri', 'Esra', 'Fatima', 'Grace', 'Hugo', 'Ines', 'Jürgen', 'Kaori', 'Linus', 'Maeve', 'Nils', 'Olga', 'Pablo'])[1 + (h >> 8) % 16]
    || ' ' ||
  (ARRAY['Andersson', 'Brown', 'Costa', 'Dubois', 'Evans', 'Fischer', 'García', 'Hansen', 'Ivanov', 'Jansen', 'Kowalski', 'López', 'Müller', 'Novák', 'O''Brien', 'Petrov'])[1 + (h >> 16) % 16],
  (ARRAY['Amsterdam', 'Berlin', 'Cork', 'Dresden', 'Évora', 'Florence', 'Gdańsk', 'Helsinki', 'Izmir', 'Kraków', 'Lyon', 'Malmö', 'Nantes', 'Oslo', 'Porto', 'Zürich'])[1 + (h >> 24) % 16],
  1 + (h >> 20) % 5
FROM generate_series(1, 2000) AS i
CROSS JOIN LATERAL (SELECT (i * 2654435761::bigint) % 4294967296) AS hashed (h);

INSERT INTO ads (id, title, description, category_id, seller_id, price_cents, created_at)
SELECT
  i,
  (ARRAY['Almost new', 'Antique', 'Barely used', 'Beautiful', 'Classic', 'Handmade', 'Like-new', 'Lovely', 'Original', 'Rare', 'Reliable', 'Restored', 'Sturdy', 'Stylish', 'Used', 'Well-kept'])[1 + (h >> 28) % 16]
    || ' ' ||
  (ARRAY['bicycle', 'novel', 'camera', 'estate car', 'jacket', '24" screen', 'café table', 'chess set', 'lawn mower', 'guitar',
         'evening job', 'cast-iron pan', 'bird cage', 'telephone', 'flat', 'piano lessons', 'tennis racket', 'concert ticket', 'drill', 'dolls'' house'])[category]
    || ' no. ' || i,
  (ARRAY['Bought two years ago and seldom used since. ', 'It belonged to my grandmother, who took great care of it. ', 'Kept in a dry room without smoke or pets. ', 'Works as on the first day. ',
         'There are a few small scratches, see the pictures. ', 'Cleaned and checked last week. ', 'I am moving and have no room for it. ', 'It comes in its first box, with all papers. '])[1 + (h >> 25) % 8]
    ||
  (ARRAY['The price is fixed; please do not ask. ', 'Make me an offer. ', 'I would also swap it for something of the same worth. ', 'Payment in cash when you fetch it. ',
         'Half of the price goes to the local animal shelter. ', 'Reserved for nobody: first come, first served. ', 'A discount is possible if you take more than one. ', 'Private sale, no guarantee and no return. '])[1 + (g >> 25) % 8]
    ||
  (ARRAY['You can see it in the evenings and at the weekend. ', 'I can send it within the country; postage is on you. ', 'Fetch it yourself, third floor, no lift. ', 'I am glad to bring it to you if you live near by. '])[1 + (h >> 19) % 4]
    ||
  (ARRAY['Please write rather than call. ', 'Questions are welcome at any time. ', 'Only serious offers, please. ', 'Thank you for reading! '])[1 + (g >> 19) % 4]
    || 'Reference ' || g || '.',
  category,
  1 + (g >> 8) % 2000,
  500 + 50 * ((spread * spread) / 1250),
  timestamptz '2024-01-01 00:00:00+00' + ((i * 48271::bigint) % 100003) * interval '631 seconds'
FROM generate_series(1, 100000) AS i
CROSS JOIN LATERAL (SELECT (i * 2654435761::bigint) % 4294967296, (i * 2246822519::bigint + 374761393) % 4294967296) AS hashed (h, g)
CROSS JOIN LATERAL (SELECT (1 + (h >> 12) % 20)::integer, ((g >> 16) % 10000)::integer) AS chosen (category, spread);

SELECT setval(pg_get_serial_sequence('ads', 'id'), 100000);

CREATE INDEX ads_newest ON ads (created_at DESC, id DESC);
CREATE INDEX ads_category_newest ON ads (category_id, created_at DESC, id DESC);
CREATE INDEX ads_category_price ON ads (category_id, price_cents, id);
CREATE INDEX ads_seller ON ads (seller_id);

ALTER TABLE ads
  ADD CONSTRAINT ads_category FOREIGN KEY (category_id) REFERENCES categories (id),
  ADD CONSTRAINT ads_seller FOREIGN KEY (seller_id) REFERENCES sellers (id);

ANALYZE categories;
ANALYZE sellers;
ANALYZE ads;
