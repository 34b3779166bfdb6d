package bulletin.limits;

import bulletin.database.Connections;
import bulletin.database.Pool;
import bulletin.http.Answer;
import bulletin.http.Query;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Request;

/** Requests that never give their connection back: a pool runs dry, whatever its size. */
public final class LeftConnections {
  private static final int ADS = 1000;
  private static final Set<String> WAYS = Set.of("answer", "error");
  private static final String CATEGORY_OF_AD = "SELECT category_id FROM ads WHERE id = ?";

  private final Pool pool;
  private final AtomicInteger asked = new AtomicInteger();

  public LeftConnections(Pool pool) {
    this.pool = pool;
  }

  /** Answers GET /leave: of every so many requests one returns early, or fails, without giving its connection back; something else comes first, for {@code after} ms. */
  public Reply leave(Request request, String segment) throws RequestException, SQLException {
    int every = Query.numberIn(request, "every", 1, 1_000_000, 50);
    String way = Query.textIn(request, "way", "answer");
    if (!WAYS.contains(way)) throw new RequestException(400, "way must be answer or error");
    Pause.pause(Query.numberIn(request, "after", 0, 1000, 0));
    int number = asked.incrementAndGet();
    Connection connection = pool.borrow();
    int categoryId = Connections.list(connection, CATEGORY_OF_AD, row -> row.getInt(1), 1 + number % ADS).get(0);
    if (number % every == 0) {
      if (way.equals("error")) throw new RequestException(409, "left behind");
      return Answer.json(200, "{\"categoryId\":" + categoryId + "}");
    }
    pool.giveBack(connection);
    return Answer.json(200, "{\"categoryId\":" + categoryId + "}");
  }
}
