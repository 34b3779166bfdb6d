package bulletin.http;

import java.sql.SQLException;
import org.eclipse.jetty.server.Request;

/** Answers some of the requests. */
public interface Endpoint {
  /**
   * @param segment the part of the path that it is about: what is where a route has a variable, or null where it has none
   * @throws RequestException when the request cannot be answered as asked
   */
  Reply answer(Request request, String segment) throws RequestException, SQLException;
}
