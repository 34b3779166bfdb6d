<?php
declare(strict_types=1);

const AD_BY_ID = <<<'SQL'
    SELECT id, title, description, category_id AS "categoryId", seller_id AS "sellerId", price_cents AS "priceCents",
           to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
    FROM ads
    WHERE id = $1
    SQL;

/** Groups all advertisements of a category by their sellers: some milliseconds of the database's CPU, on purpose. `share` is in thousandths. */
const TOP_SELLERS = <<<'SQL'
    SELECT seller.id AS "sellerId", seller.name AS "seller", seller.city, sold.ads, sold.average_cents AS "averageCents",
           (1000 * sold.revenue_cents / sum(sold.revenue_cents) OVER ())::integer AS "share"
    FROM (
      SELECT ads.seller_id, count(*)::integer AS ads, round(avg(ads.price_cents))::integer AS average_cents,
             sum(ads.price_cents) AS revenue_cents
      FROM ads
      JOIN categories AS category ON category.id = ads.category_id
      WHERE category.id = $1
      GROUP BY ads.seller_id
    ) AS sold
    JOIN sellers AS seller ON seller.id = sold.seller_id
    ORDER BY sold.revenue_cents DESC, seller.id
    LIMIT 10
    SQL;

function getAd(string $segment): void
{
    $rows = query(AD_BY_ID, [idOf($segment)]);
    sendJson(200, $rows[0] ?? throw new RequestError(404, 'no such ad'));
}

function getReport(): void
{
    sendJson(200, query(TOP_SELLERS, [numberIn('category', 1, 20, 1)]));
}
