package bulletin.http;

import java.util.function.Function;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** What a client gets, now or once it is there. */
public interface Reply {
  /**
   * Sends it without keeping the thread that calls.
   *
   * @param callback told when all has been sent
   * @param timing what becomes of the time, or null when nobody asks for it
   */
  void sendTo(Response response, Callback callback, Timing timing);

  /** The same, and another one in its place when it fails to come. */
  default Reply orWhenFailed(Function<Throwable, Reply> substitute) {
    return this;
  }
}
