import pg from 'pg';

/** No connection could be had in time, or it was lost: the caller may try again later. */
export class DatabaseUnavailable extends Error {}

/** The category or the seller that a new advertisement names does not exist. */
export class UnknownReference extends Error {}

const FOREIGN_KEY_VIOLATION = '23503';
/** Classes of SQLSTATE that speak of the connection or the server and not of the statement: connection, resources, operator intervention. */
const UNAVAILABLE_CLASSES = ['08', '53', '57'];
/** A statement that the server has not finished by then is cancelled; it is above the longest GET /wait. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** A server that has not answered by then is taken for lost. */
const ANSWER_TIMEOUT_MS = 20_000;

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

  constructor({ databaseUrl, poolSize, poolTimeoutMs }) {
    this.#pool = new pg.Pool({
      ...(databaseUrl === undefined ? {} : { connectionString: databaseUrl }),
      max: poolSize,
      connectionTimeoutMillis: poolTimeoutMs,
      idleTimeoutMillis: 0, // connections are kept: opening one costs more than a hundred short statements
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      application_name: 'bulletin-board',
    });
    // A connection that is lost emits 'error' whether it is idle or lent out; without listeners that would end the process.
    // The statement that was running on it fails by itself, and the pool opens a new connection when it needs one.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  async ping() {
    await this.#query(ping, []);
  }

  /** @returns the advertisement, or undefined */
  async adById(id) {
    const rows = await this.#query(adById, [id]);
    return rows[0];
  }

  /** @param category a category's id, or undefined for all of them */
  newestAds(category, limit) {
    return category === undefined ? this.#query(newestAds, [limit]) : this.#query(newestAdsInCategory, [category, limit]);
  }

  similarAds(id) {
    return this.#query(similarAds, [id]);
  }

  /** @throws {UnknownReference} when there is no such category or seller */
  async insertAd({ title, description, categoryId, sellerId, priceCents }) {
    const rows = await this.#query(insertAd, [title, description, categoryId, sellerId, priceCents]);
    return rows[0];
  }

  /** Holds a connection while the database waits. */
  async wait(ms) {
    await this.#query(wait, [ms]);
  }

  close() {
    return this.#pool.end();
  }

  async #query(statement, values) {
    const client = await this.#pool.connect().catch((error) => {
      throw new DatabaseUnavailable(error.message, { cause: error });
    });
    try {
      const result = await client.query({ ...statement, values });
      client.release();
      return result.rows;
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      // An error without SQLSTATE comes from the connection, which is then not used again.
      const unavailable = code === undefined || UNAVAILABLE_CLASSES.includes(code.slice(0, 2));
      client.release(unavailable);
      if (unavailable) throw new DatabaseUnavailable(error.message, { cause: error });
      if (code === FOREIGN_KEY_VIOLATION) throw new UnknownReference(error.message, { cause: error });
      throw error;
    }
  }
}
