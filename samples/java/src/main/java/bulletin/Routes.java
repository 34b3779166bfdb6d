package bulletin;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
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

  Routes(Database database) {
    this.database = database;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Answer answer;
    try {
      answer = answer(request);
    } catch (RequestException e) {
      answer = Answer.error(e.status(), e.getMessage(), e.headers());
    } catch (Database.UnknownReference e) {
      answer = Answer.error(400, "categoryId or sellerId is unknown", Map.of());
    } catch (Database.Unavailable e) {
      unavailable.warn("the database is not available: " + e.getMessage());
      answer = Answer.error(503, "the database is not available", Map.of());
    } catch (SQLException | RuntimeException e) {
      log.error("{} {} failed", request.getMethod(), request.getHttpURI().getPathQuery(), e);
      answer = Answer.error(500, "internal error", Map.of());
    }
    send(response, answer, callback);
    return true;
  }

  /** Answers what Jetty itself refuses, such as a request that is not HTTP; Jetty closes the connection then. */
  static boolean answerJettyError(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    send(response, Answer.error(status, HttpStatus.getMessage(status).toLowerCase(Locale.ROOT), Map.of("Connection", "close")), callback);
    return true;
  }

  private Answer answer(Request request) throws RequestException, SQLException {
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
        return answerBelowAds(request, path);
    }
  }

  /** Answers /ads/:id and /ads/:id/similar. */
  private Answer answerBelowAds(Request request, String path) throws RequestException, SQLException {
    if (!path.startsWith("/ads/")) throw new RequestException(404, "not found");
    int end = path.indexOf('/', 5);
    String segment = path.substring(5, end == -1 ? path.length() : end);
    boolean similar = end != -1 && path.startsWith("/similar", end) && path.length() == end + 8;
    if (segment.isEmpty() || (end != -1 && !similar)) throw new RequestException(404, "not found");
    methodOf(request, "GET");
    int id = wholeNumber(segment, 1, Integer.MAX_VALUE);
    if (id == -1) throw new RequestException(400, "id must be a whole number from 1 to " + Integer.MAX_VALUE);
    return similar ? listSimilarAds(id) : getAd(id);
  }

  private Answer getAd(int id) throws RequestException, SQLException {
    Ad ad = database.adById(id);
    if (ad == null) throw new RequestException(404, "no such ad");
    return Answer.json(200, ad);
  }

  private Answer listAds(Request request) throws RequestException, SQLException {
    Integer category = numberIn(request, "category", 1, Integer.MAX_VALUE, null);
    int limit = numberIn(request, "limit", 1, 100, 20);
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
    Answer created = Answer.json(201, ad);
    return new Answer(created.status(), created.contentType(), created.body(), Map.of("Location", "/ads/" + ad.id()));
  }

  private Answer sleep(Request request) throws RequestException, SQLException {
    Integer ms = numberIn(request, "ms", 0, 10_000, null);
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

  /** The number that a query parameter carries, or {@code preset} when it is absent or empty. */
  private static Integer numberIn(Request request, String name, int min, int max, Integer preset) throws RequestException {
    String text = parameter(request.getHttpURI().getQuery(), name);
    if (text == null || text.isEmpty()) return preset;
    int value = wholeNumber(text, min, max);
    if (value == -1) throw new RequestException(400, name + " must be a whole number from " + min + " to " + max);
    return value;
  }

  /** The first value of a query parameter as it stands, or null: all of them are plain numbers, so nothing is decoded. */
  private static String parameter(String query, String name) {
    if (query == null) return null;
    for (String part : query.split("&")) {
      if (part.equals(name)) return "";
      if (part.startsWith(name) && part.charAt(name.length()) == '=') return part.substring(name.length() + 1);
    }
    return null;
  }

  /** The number that a text is, or -1 when it is none from {@code min} (which is not negative) to {@code max}. */
  private static int wholeNumber(String text, int min, int max) {
    if (text.isEmpty() || text.length() > 10 || (text.length() > 1 && text.charAt(0) == '0')) return -1;
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') return -1;
      value = value * 10 + (c - '0');
    }
    return value >= min && value <= max ? (int) value : -1;
  }

  private static void send(Response response, Answer answer, Callback callback) {
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    response.setStatus(answer.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    answer.headers().forEach(response.getHeaders()::put);
    response.write(true, ByteBuffer.wrap(body), callback);
  }

  /** What is sent to the client. */
  private record Answer(int status, String contentType, String body, Map<String, String> headers) {
    static Answer json(int status, String json) {
      return new Answer(status, "application/json", json, Map.of());
    }

    static Answer json(int status, JsonObject object) {
      StringBuilder json = new StringBuilder(512);
      object.appendTo(json);
      return json(status, json.toString());
    }

    static Answer json(int status, List<? extends JsonObject> objects) {
      StringBuilder json = new StringBuilder(256 * (1 + objects.size())).append('[');
      for (JsonObject object : objects) {
        if (json.length() > 1) json.append(',');
        object.appendTo(json);
      }
      return json(status, json.append(']').toString());
    }

    static Answer error(int status, String message, Map<String, String> headers) {
      return new Answer(status, "application/json", "{\"error\":" + Json.quote(message) + "}", headers);
    }
  }
}
