import { DatabaseUnavailable, meaningOf } from './databaseErrors.mjs';

const ping = { name: 'ping', text: 'SELECT 1' };

const adById = {
  name: 'ad-by-id',
  text: `
    SELECT id, title, description, category_id AS "categoryId", seller_id AS "sellerId", price_cents AS "priceCents",
           to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
    FROM ads
    WHERE id = $1`,
};

const newestAds = {
  name: 'newest-ads',
  text: `
    SELECT id, title, category_id AS "categoryId", seller_id AS "sellerId", price_cents AS "priceCents",
           to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
    FROM ads
    ORDER BY created_at DESC, id DESC
    LIMIT $1`,
};

const newestAdsInCategory = {
  name: 'newest-ads-in-category',
  text: `
    SELECT id, title, category_id AS "categoryId", seller_id AS "sellerId", price_cents AS "priceCents",
           to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
    FROM ads
    WHERE category_id = $1
    ORDER BY created_at DESC, id DESC
    LIMIT $2`,
};

const similarAds = {
  name: 'similar-ads',
  text: `
    SELECT other.id, other.title, category.name AS "category", seller.name AS "seller", seller.city,
           other.price_cents AS "priceCents"
    FROM ads AS this
    CROSS JOIN LATERAL (
      (SELECT id, title, category_id, seller_id, price_cents FROM ads
       WHERE category_id = this.category_id AND price_cents >= this.price_cents AND id <> this.id
       ORDER BY price_cents, id LIMIT 200)
      UNION ALL
      (SELECT id, title, category_id, seller_id, price_cents FROM ads
       WHERE category_id = this.category_id AND price_cents < this.price_cents
       ORDER BY price_cents DESC, id DESC LIMIT 200)
    ) AS other
    JOIN categories AS category ON category.id = other.category_id
    JOIN sellers AS seller ON seller.id = other.seller_id
    WHERE this.id = $1
    ORDER BY seller.rating DESC, abs(other.price_cents - this.price_cents), other.id
    LIMIT 10`,
};

const insertAd = {
  name: 'insert-ad',
  text: `
    INSERT INTO ads (title, description, category_id, seller_id, price_cents)
    VALUES ($1, $2, $3, $4, $5)
    RETURNING id, title, description, category_id AS "categoryId", seller_id AS "sellerId", price_cents AS "priceCents",
              to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"`,
};

const wait = { name: 'wait', text: 'SELECT pg_sleep($1::integer / 1000.0)' };

/**
 * The bulletin board's statements over a pool of connections. Rows carry the names and the order of the JSON that is sent.
 * Every method throws {@link DatabaseUnavailable} when no connection can be had in time.
 */
export class Database {
  #pool;
  #timing;

  /**
   * @param pool from {@link openPool}
   * @param timing where the time that is spent here is added up, if it is asked for
   */
  constructor(pool, timing = undefined) {
    this.#pool = pool;
    this.#timing = timing;
  }

  /** The same database, whose use by one request is timed. */
  timedBy(timing) {
    return new this.constructor(this.#pool, timing);
  }

  async ping() {
    await this.query(ping, []);
  }

  /** @returns the advertisement, or undefined */
  async adById(id) {
    const rows = await this.query(adById, [id]);
    return rows[0];
  }

  /** @param category a category's id, or undefined for all of them */
  newestAds(category, limit) {
    return category === undefined ? this.query(newestAds, [limit]) : this.query(newestAdsInCategory, [category, limit]);
  }

  similarAds(id) {
    return this.query(similarAds, [id]);
  }

  /** @throws {UnknownReference} when there is no such category or seller */
  async insertAd({ title, description, categoryId, sellerId, priceCents }) {
    const rows = await this.query(insertAd, [title, description, categoryId, sellerId, priceCents]);
    return rows[0];
  }

  /** Holds a connection while the database waits. */
  async wait(ms) {
    await this.query(wait, [ms]);
  }

  close() {
    return this.#pool.end();
  }

  /** Runs one statement, `{ name, text }`, and gives its rows. */
  async query(statement, values) {
    const client = await this.borrow();
    const since = this.#timing === undefined ? 0 : performance.now();
    let broken = false;
    try {
      return await this.#pool.rows(client, statement, values);
    } catch (error) {
      const meaning = meaningOf(error);
      broken = meaning instanceof DatabaseUnavailable;
      throw meaning;
    } finally {
      this.giveBack(client, broken, since);
    }
  }

  /** Takes a connection of the pool, which must be given back. */
  async borrow() {
    const timing = this.#timing;
    const since = timing === undefined ? 0 : performance.now();
    try {
      return await this.#pool.borrow();
    } catch (error) {
      throw new DatabaseUnavailable(error.message, { cause: error });
    } finally {
      if (timing !== undefined) timing.poolMs += performance.now() - since;
    }
  }

  /**
   * @param broken whether it is to be closed instead of lent again
   * @param since when it was taken, if that is timed
   */
  giveBack(client, broken, since) {
    if (this.#timing !== undefined) this.#timing.databaseMs += performance.now() - since;
    this.#pool.giveBack(client, broken);
  }
}
