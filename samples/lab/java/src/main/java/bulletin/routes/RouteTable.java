package bulletin.routes;

import bulletin.http.Endpoint;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.server.Request;

/** Finds who answers a request: by its whole path, or by what the path begins with. */
public final class RouteTable implements Endpoint {
  private final Map<String, Route> byPath = new HashMap<>();
  private final Map<String, Route> byPrefix = new LinkedHashMap<>();

  /** Adds a path. One that ends in {@code /:} takes one more segment, one that ends in {@code /*} all that follows. */
  public RouteTable add(String method, String path, Endpoint endpoint) {
    boolean open = path.endsWith("/:") || path.endsWith("/*");
    String key = open ? path.substring(0, path.length() - 1) : path;
    (open ? byPrefix : byPath).computeIfAbsent(key, added -> new Route(path.endsWith("/:"))).methods.put(method, endpoint);
    return this;
  }

  /**
   * Has a request answered.
   *
   * @throws RequestException 404 for a path that is not known, 405 for another method on one that is, and what the endpoint refuses
   */
  @Override
  public Reply answer(Request request, String path) throws RequestException, SQLException {
    Route route = byPath.get(path);
    if (route != null) return route.endpointFor(request).answer(request, null);
    for (Map.Entry<String, Route> entry : byPrefix.entrySet()) {
      if (!path.startsWith(entry.getKey())) continue;
      String rest = path.substring(entry.getKey().length());
      if (entry.getValue().oneSegment && (rest.isEmpty() || rest.indexOf('/') != -1)) continue;
      return entry.getValue().endpointFor(request).answer(request, rest);
    }
    throw new RequestException(404, "not found");
  }

  private static final class Route {
    private final boolean oneSegment;
    private final Map<String, Endpoint> methods = new LinkedHashMap<>();

    Route(boolean oneSegment) {
      this.oneSegment = oneSegment;
    }

    Endpoint endpointFor(Request request) throws RequestException {
      Endpoint endpoint = methods.get(request.getMethod());
      if (endpoint == null) throw new RequestException(405, "method not allowed", Map.of("Allow", String.join(", ", methods.keySet())));
      return endpoint;
    }
  }
}
