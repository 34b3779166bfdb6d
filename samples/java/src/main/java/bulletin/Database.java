package bulletin;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The bulletin board's statements over a pool of connections.
 * Every method throws {@link Unavailable} when no connection can be had in time.
 */
final class Database implements AutoCloseable {
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

  private static final String FOREIGN_KEY_VIOLATION = "23503";
  /** Classes of SQLSTATE that speak of the connection or the server and not of the statement: connection, resources, operator intervention. */
  private static final Set<String> UNAVAILABLE_CLASSES = Set.of("08", "53", "57");
  /** A statement that the server has not finished by then is cancelled; it is above the longest GET /wait. */
  private static final int STATEMENT_TIMEOUT_MS = 15_000;
  /** A server that has not answered by then is taken for lost. */
  private static final int ANSWER_TIMEOUT_SECONDS = 20;

  private final HikariDataSource pool;

  Database(Configuration configuration) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("database");
    config.setJdbcUrl(configuration.jdbcUrl());
    config.setUsername(configuration.user());
    config.setPassword(configuration.password());
    config.setMaximumPoolSize(configuration.poolSize());
    config.setConnectionTimeout(configuration.poolTimeoutMs());
    config.setValidationTimeout(Math.min(configuration.poolTimeoutMs(), 5000));
    config.setInitializationFailTimeout(-1); // the service starts without its database and waits for it
    config.setMaxLifetime(0); // connections are kept: opening one costs more than a hundred short statements
    config.setKeepaliveTime(0);
    config.addDataSourceProperty("prepareThreshold", 1); // prepared on the server from the first use on
    config.addDataSourceProperty("options", "-c statement_timeout=" + STATEMENT_TIMEOUT_MS);
    config.addDataSourceProperty("socketTimeout", ANSWER_TIMEOUT_SECONDS);
    config.addDataSourceProperty("ApplicationName", "bulletin-board");
    pool = new HikariDataSource(config);
  }

  void ping() throws SQLException {
    list(PING, row -> row.getInt(1));
  }

  /** Returns the advertisement, or null. */
  Ad adById(int id) throws SQLException {
    List<Ad> found = list(AD_BY_ID, Database::ad, id);
    return found.isEmpty() ? null : found.get(0);
  }

  /** Returns the newest advertisements of a category, or of all categories when it is null. */
  List<AdSummary> newestAds(Integer category, int limit) throws SQLException {
    return category == null
        ? list(NEWEST_ADS, Database::adSummary, limit)
        : list(NEWEST_ADS_IN_CATEGORY, Database::adSummary, category, limit);
  }

  List<SimilarAd> similarAds(int id) throws SQLException {
    return list(SIMILAR_ADS, Database::similarAd, id);
  }

  /** Inserts an advertisement and throws {@link UnknownReference} when there is no such category or seller. */
  Ad insertAd(NewAd ad) throws SQLException {
    return list(INSERT_AD, Database::ad, ad.title(), ad.description(), ad.categoryId(), ad.sellerId(), ad.priceCents()).get(0);
  }

  /** Holds a connection while the database waits. */
  void sleep(int ms) throws SQLException {
    list(WAIT, row -> null, ms);
  }

  @Override
  public void close() {
    pool.close();
  }

  private <T> List<T> list(String sql, RowReader<T> reader, Object... values) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        if (values[i] instanceof Integer number) statement.setInt(i + 1, number);
        else statement.setString(i + 1, (String) values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        List<T> list = new ArrayList<>();
        while (rows.next()) list.add(reader.read(rows));
        return list;
      }
    } catch (SQLException e) {
      throw classified(e);
    }
  }

  private static SQLException classified(SQLException e) {
    String state = e.getSQLState();
    if (FOREIGN_KEY_VIOLATION.equals(state)) return new UnknownReference(e);
    // An error without SQLSTATE comes from the pool or the connection.
    if (e instanceof SQLTransientConnectionException || state == null || UNAVAILABLE_CLASSES.contains(state.substring(0, 2))) return new Unavailable(e);
    return e;
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

  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** No connection could be had in time, or it was lost: the caller may try again later. */
  static final class Unavailable extends SQLException {
    private static final long serialVersionUID = 1;

    Unavailable(SQLException cause) {
      // the pool says that it has waited; its cause says for what
      super(cause.getCause() == null ? cause.getMessage() : cause.getMessage() + " " + cause.getCause().getMessage(), cause);
    }
  }

  /** The category or the seller that a new advertisement names does not exist. */
  static final class UnknownReference extends SQLException {
    private static final long serialVersionUID = 1;

    UnknownReference(SQLException cause) {
      super(cause.getMessage(), cause);
    }
  }
}
