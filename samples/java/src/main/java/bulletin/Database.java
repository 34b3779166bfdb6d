package bulletin;

import bulletin.database.Connections;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The bulletin board's statements. */
final class Database {
  private static final String PING = "SELECT 1";

  private static final String AD_BY_ID = """
      SELECT id, title, description, category_id AS "categoryId", seller_id AS "sellerId", price_cents AS "priceCents",
             to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
      FROM ads
      WHERE id = ?""";

  private static final String NEWEST_ADS = """
      SELECT id, title, category_id AS "categoryId", seller_id AS "sellerId", price_cents AS "priceCents",
             to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
      FROM ads
      ORDER BY created_at DESC, id DESC
      LIMIT ?""";

  private static final String NEWEST_ADS_IN_CATEGORY = """
      SELECT id, title, category_id AS "categoryId", seller_id AS "sellerId", price_cents AS "priceCents",
             to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
      FROM ads
      WHERE category_id = ?
      ORDER BY created_at DESC, id DESC
      LIMIT ?""";

  private static final String SIMILAR_ADS = """
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
      WHERE this.id = ?
      ORDER BY seller.rating DESC, abs(other.price_cents - this.price_cents), other.id
      LIMIT 10""";

  private static final String INSERT_AD = """
      INSERT INTO ads (title, description, category_id, seller_id, price_cents)
      VALUES (?, ?, ?, ?, ?)
      RETURNING id, title, description, category_id AS "categoryId", seller_id AS "sellerId", price_cents AS "priceCents",
                to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
      """;

  private static final String WAIT = "SELECT pg_sleep(?::integer / 1000.0)";

  private final Connections connections;

  Database(Connections connections) {
    this.connections = connections;
  }

  void ping() throws SQLException {
    connections.list(PING, row -> row.getInt(1));
  }

  /** Returns the advertisement, or null. */
  Ad adById(int id) throws SQLException {
    return connections.first(AD_BY_ID, Database::ad, id);
  }

  /** Returns the newest advertisements of a category, or of all categories when it is null. */
  List<AdSummary> newestAds(Integer category, int limit) throws SQLException {
    return category == null
        ? connections.list(NEWEST_ADS, Database::adSummary, limit)
        : connections.list(NEWEST_ADS_IN_CATEGORY, Database::adSummary, category, limit);
  }

  List<SimilarAd> similarAds(int id) throws SQLException {
    return connections.list(SIMILAR_ADS, Database::similarAd, id);
  }

  /** Inserts an advertisement and throws {@link Connections.UnknownReference} when there is no such category or seller. */
  Ad insertAd(NewAd ad) throws SQLException {
    return connections.list(INSERT_AD, Database::ad, ad.title(), ad.description(), ad.categoryId(), ad.sellerId(), ad.priceCents()).get(0);
  }

  /** Holds a connection while the database waits. */
  void sleep(int ms) throws SQLException {
    connections.list(WAIT, row -> null, ms);
  }

  private static Ad ad(ResultSet row) throws SQLException {
    return new Ad(row.getInt(1), row.getString(2), row.getString(3), row.getInt(4), row.getInt(5), row.getInt(6), row.getString(7));
  }

  private static AdSummary adSummary(ResultSet row) throws SQLException {
    return new AdSummary(row.getInt(1), row.getString(2), row.getInt(3), row.getInt(4), row.getInt(5), row.getString(6));
  }

  private static SimilarAd similarAd(ResultSet row) throws SQLException {
    return new SimilarAd(row.getInt(1), row.getString(2), row.getString(3), row.getString(4), row.getString(5), row.getInt(6));
  }
}
