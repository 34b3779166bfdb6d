package bulletin.http;

import java.util.Map;

/** A request that cannot be answered as asked: the status, the text for the client, and further headers of the answer. */
public final class RequestException extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;
  private final transient Map<String, String> headers;

  public RequestException(int status, String message) {
    this(status, message, Map.of());
  }

  public RequestException(int status, String message, Map<String, String> headers) {
    // part of ordinary traffic: no stack trace is taken
    super(message, null, false, false);
    this.status = status;
    this.headers = headers;
  }

  public int status() {
    return status;
  }

  public Map<String, String> headers() {
    return headers;
  }
}
