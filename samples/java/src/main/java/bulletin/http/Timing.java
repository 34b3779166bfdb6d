package bulletin.http;

import java.util.Locale;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * What becomes of the time of one request, told to a client that asks for it with {@code X-Server-Timing: 1}: in the app as a whole,
 * waiting for connections of the pool, and holding them.
 */
public final class Timing {
  private static final ThreadLocal<Timing> ofThisThread = new ThreadLocal<>();

  private final long startedAt = System.nanoTime();
  private final String requestId;
  private long poolNs;
  private long databaseNs;

  private Timing(String requestId) {
    this.requestId = requestId;
  }

  /** Starts measuring the request that this thread answers, or returns null when the client does not ask for it. */
  public static Timing begin(Request request) {
    if (!"1".equals(request.getHeaders().get("X-Server-Timing"))) return null;
    Timing timing = new Timing(request.getHeaders().get("X-Request-Id"));
    ofThisThread.set(timing);
    return timing;
  }

  /** This thread is done with the request that it measures, though the answer may come later. */
  public static void end() {
    ofThisThread.remove();
  }

  /** The one of the request that this thread answers, or null. */
  public static Timing current() {
    return ofThisThread.get();
  }

  public void addPoolWait(long ns) {
    poolNs += ns;
  }

  /** Adds the time for which a connection was held; two that are held at once count twice. */
  public void addHold(long ns) {
    databaseNs += ns;
  }

  public void addTo(Response response) {
    long appNs = System.nanoTime() - startedAt;
    response.getHeaders().put("Server-Timing", "app;dur=" + ms(appNs) + ", pool;dur=" + ms(poolNs) + ", db;dur=" + ms(databaseNs));
    if (requestId != null) response.getHeaders().put("X-Request-Id", requestId);
  }

  private static String ms(long ns) {
    return String.format(Locale.ROOT, "%.3f", ns / 1e6);
  }
}
