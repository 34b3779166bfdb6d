import { sendJson } from '../../../node/answers.mjs';
import { numberIn } from '../../../node/parameters.mjs';

/** Groups all advertisements of a category by their sellers: some milliseconds of the database's CPU, on purpose. `share` is in thousandths. */
const topSellers = {
  name: 'top-sellers',
  text: `
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
    LIMIT 10`,
};

export async function getReport({ response, database, query }) {
  const category = numberIn(query, 'category', 1, 20, 1);
  sendJson(response, 200, await database.query(topSellers, [category]));
}
