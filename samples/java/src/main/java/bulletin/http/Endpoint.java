package bulletin.http;

import java.sql.SQLException;
import org.eclipse.jetty.server.Request;

/** Answers requests of one path and method. */
public interface Endpoint {
  /**
   * @param segment what stands in the path where the route has a variable, or null where it has none
   * @throws RequestException when the request cannot be answered as asked
   */
  Reply answer(Request request, String segment) throws RequestException, SQLException;
}
