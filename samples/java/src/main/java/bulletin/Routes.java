package bulletin;

import bulletin.database.Connections;
import bulletin.http.Answer;
import bulletin.http.Endpoint;
import bulletin.http.Query;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import bulletin.http.Timing;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests of the bulletin board; nothing that goes wrong in one leaves this class as an exception. */
final class Routes extends Handler.Abstract {
  private static final Logger log = LoggerFactory.getLogger(Routes.class);
  private static final OccasionalWarning unavailable = new OccasionalWarning(log);

  private final Database database;
  private final Endpoint others;

  /**
   * @param others who answers what is no matter of advertisements, given its path
   */
  Routes(Database database, Endpoint others) {
    this.database = database;
    this.others = others;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Timing timing = Timing.begin(request);
    Reply reply = replyTo(request);
    if (timing != null) Timing.end();
    reply.sendTo(response, callback, timing);
    return true;
  }

  /** Answers what Jetty itself refuses, such as a request that is not HTTP; Jetty closes the connection then. */
  static boolean answerJettyError(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    String message = HttpStatus.getMessage(status).toLowerCase(Locale.ROOT);
    Answer.error(status, message, Map.of("Connection", "close")).sendTo(response, callback, null);
    return true;
  }

  private Reply replyTo(Request request) {
    try {
      return answer(request).orWhenFailed(failure -> substitute(request, failure));
    } catch (RequestException | SQLException | RuntimeException e) {
      return substitute(request, e);
    }
  }

  /** The answer when there cannot be the right one. */
  private static Answer substitute(Request request, Throwable failure) {
    if (failure instanceof RequestException refusal) return Answer.error(refusal.status(), refusal.getMessage(), refusal.headers());
    if (failure instanceof Connections.UnknownReference) return Answer.error(400, "categoryId or sellerId is unknown", Map.of());
    if (failure instanceof Connections.Unavailable) {
      unavailable.warn("the database is not available: " + failure.getMessage());
      return Answer.error(503, "the database is not available", Map.of());
    }
    log.error("{} {} failed", request.getMethod(), request.getHttpURI().getPathQuery(), failure);
    return Answer.error(500, "internal error", Map.of());
  }

  private Reply answer(Request request) throws RequestException, SQLException {
    String path = request.getHttpURI().getPath();
    switch (path) {
      case "/ads":
        return switch (methodOf(request, "GET", "POST")) {
          case "GET" -> listAds(request);
          default -> postAd(request);
        };
      case "/wait":
        methodOf(request, "GET");
        return sleep(request);
      case "/hello":
        methodOf(request, "GET");
        return new Answer(200, "text/plain", "Hello, world!", Map.of());
      case "/health":
        methodOf(request, "GET");
        database.ping();
        return Answer.json(200, "{\"status\":\"ok\"}");
      default:
        return path.startsWith("/ads/") ? answerBelowAds(request, path) : others.answer(request, path);
    }
  }

  /** Answers /ads/:id and /ads/:id/similar. */
  private Answer answerBelowAds(Request request, String path) throws RequestException, SQLException {
    int end = path.indexOf('/', 5);
    String segment = path.substring(5, end == -1 ? path.length() : end);
    boolean similar = end != -1 && path.startsWith("/similar", end) && path.length() == end + 8;
    if (segment.isEmpty() || (end != -1 && !similar)) throw new RequestException(404, "not found");
    methodOf(request, "GET");
    int id = Query.idIn(segment, Integer.MAX_VALUE);
    return similar ? listSimilarAds(id) : getAd(id);
  }

  private Answer getAd(int id) throws RequestException, SQLException {
    Ad ad = database.adById(id);
    if (ad == null) throw new RequestException(404, "no such ad");
    return Answer.json(200, ad);
  }

  private Answer listAds(Request request) throws RequestException, SQLException {
    Integer category = Query.numberIn(request, "category", 1, Integer.MAX_VALUE, null);
    int limit = Query.numberIn(request, "limit", 1, 100, 20);
    return Answer.json(200, database.newestAds(category, limit));
  }

  private Answer listSimilarAds(int id) throws RequestException, SQLException {
    List<SimilarAd> ads = database.similarAds(id);
    // nothing similar, or nothing at all: only then is it worth a second statement
    if (ads.isEmpty() && database.adById(id) == null) throw new RequestException(404, "no such ad");
    return Answer.json(200, ads);
  }

  private Answer postAd(Request request) throws RequestException, SQLException {
    Ad ad = database.insertAd(NewAd.read(request));
    return Answer.json(201, ad, Map.of("Location", "/ads/" + ad.id()));
  }

  private Answer sleep(Request request) throws RequestException, SQLException {
    Integer ms = Query.numberIn(request, "ms", 0, 10_000, null);
    if (ms == null) throw new RequestException(400, "ms must be a whole number from 0 to 10000");
    database.sleep(ms);
    return Answer.json(200, "{\"waitedMs\":" + ms + "}");
  }

  private static String methodOf(Request request, String... allowed) throws RequestException {
    for (String method : allowed) {
      if (method.equals(request.getMethod())) return method;
    }
    throw new RequestException(405, "method not allowed", Map.of("Allow", String.join(", ", allowed)));
  }
}
