package bulletin.limits;

import bulletin.database.Connections;
import bulletin.http.Answer;
import bulletin.http.Query;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import bulletin.pools.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Request;

/** Requests that are limited by the database, or by the connections to it. */
public final class DatabaseWorkloads {
  private static final int COUNTERS = 1000;
  private static final int CATEGORIES = 20;
  private static final int ADS = 100_000;
  /** Advertisements that are checked out, in turn. */
  private static final int CHECKED_OUT_ADS = 1000;
  private static final Set<String> CHECKOUT_WORK = Set.of("wait", "compute", "lock");

  /** Groups all advertisements of a category by their sellers; the share in the category's revenue is in thousandths. */
  private static final String TOP_SELLERS = """
      SELECT seller.id AS "sellerId", seller.name AS "seller", seller.city, sold.ads, sold.average_cents AS "averageCents",
             (1000 * sold.revenue_cents / sum(sold.revenue_cents) OVER ())::integer AS "share"
      FROM (
        SELECT ads.seller_id, count(*)::integer AS ads, round(avg(ads.price_cents))::integer AS average_cents,
               sum(ads.price_cents) AS revenue_cents
        FROM ads
        JOIN categories AS category ON category.id = ads.category_id
        WHERE category.id = ?
        GROUP BY ads.seller_id
      ) AS sold
      JOIN sellers AS seller ON seller.id = sold.seller_id
      ORDER BY sold.revenue_cents DESC, seller.id
      LIMIT 10""";

  private static final String INCREMENT = "UPDATE counters SET value = value + 1 WHERE id = ? RETURNING value";
  private static final String HOLD = "SELECT pg_sleep(?::integer / 1000.0)";
  private static final String ID_OF_AD = "SELECT id FROM ads WHERE id = ?";
  private static final String CATEGORY_OF_AD = "SELECT category_id FROM ads WHERE id = ?";
  private static final String ADS_IN_CATEGORY = "SELECT count(*)::integer FROM ads WHERE category_id = ?";

  private final Connections connections;
  private final SharedLock lock;
  private final AtomicInteger checkouts = new AtomicInteger();

  public DatabaseWorkloads(Connections connections, SharedLock lock) {
    this.connections = connections;
    this.lock = lock;
  }

  /** Answers GET /report: the limit is the CPU of the database. */
  public Reply report(Request request, String segment) throws RequestException, SQLException {
    int category = Query.numberIn(request, "category", 1, CATEGORIES, 1);
    return Answer.json(200, connections.list(TOP_SELLERS, DatabaseWorkloads::sellerReport, category));
  }

  /** Answers POST /counters/:id: on one id, the limit is the lock on its row. */
  public Reply count(Request request, String segment) throws RequestException, SQLException {
    int id = Query.idIn(segment, COUNTERS);
    int ms = Query.numberIn(request, "ms", 0, LocalWorkloads.MAX_MS, 0);
    int value = Transactions.inTransaction(connections, connection -> incrementAndHold(connection, id, ms));
    return Answer.json(200, "{\"id\":" + id + ",\"value\":" + value + "}");
  }

  private static int incrementAndHold(Connection connection, int id, int ms) throws SQLException {
    int value = firstNumber(connection, INCREMENT, id);
    if (ms > 0) Connections.list(connection, HOLD, row -> null, ms);
    return value;
  }

  /** Answers GET /checkout: a connection is kept for as long as something else takes; the limit is the pool. */
  public Reply checkOut(Request request, String segment) throws RequestException, SQLException {
    int ms = Query.numberIn(request, "ms", 0, LocalWorkloads.MAX_MS, 10);
    String work = Query.textIn(request, "work", "wait");
    if (!CHECKOUT_WORK.contains(work)) throw new RequestException(400, "work must be wait, compute or lock");
    int id = 1 + Math.floorMod(checkouts.getAndIncrement(), CHECKED_OUT_ADS);
    int checkedOut = Transactions.inTransaction(connections, connection -> checkOutHolding(connection, id, ms, work));
    return Answer.json(200, "{\"id\":" + checkedOut + ",\"ms\":" + ms + ",\"work\":\"" + work + "\"}");
  }

  private int checkOutHolding(Connection connection, int id, int ms, String work) throws SQLException {
    int read = firstNumber(connection, ID_OF_AD, id);
    if (work.equals("wait")) Pause.pause(ms);
    else if (work.equals("lock")) lock.waitForLock(ms);
    else Computation.computeFor(ms);
    return read;
  }

  /** Answers GET /nested: a second connection is needed while the first is held, so that too small a pool locks itself. */
  public Reply nested(Request request, String segment) throws RequestException, SQLException {
    int id = Query.numberIn(request, "id", 1, ADS, 1);
    String answer = connections.holding(connection -> countBesideHolding(connection, id));
    return Answer.json(200, answer);
  }

  private String countBesideHolding(Connection connection, int id) throws SQLException {
    int categoryId = firstNumber(connection, CATEGORY_OF_AD, id);
    int inCategory = connections.first(ADS_IN_CATEGORY, row -> row.getInt(1), categoryId);
    return "{\"id\":" + id + ",\"categoryId\":" + categoryId + ",\"inCategory\":" + inCategory + "}";
  }

  private static int firstNumber(Connection connection, String sql, int value) throws SQLException {
    return Connections.list(connection, sql, row -> row.getInt(1), value).get(0);
  }

  private static SellerReport sellerReport(ResultSet row) throws SQLException {
    return new SellerReport(row.getInt(1), row.getString(2), row.getString(3), row.getInt(4), row.getInt(5), row.getInt(6));
  }
}
