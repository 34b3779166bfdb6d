package bulletin.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** Reads the bytes of a request's body. */
public final class RequestBody {
  private RequestBody() {}

  /**
   * Reads the whole body; the thread waits for it.
   *
   * @param maxBytes what it may have
   * @param maxDiscardedBytes a larger body is read to its end and thrown away up to this size, so that the client gets to see the answer
   * @throws RequestException 413 with {@code tooLarge} when there is more, 400 when the body breaks off
   */
  public static byte[] read(Request request, int maxBytes, int maxDiscardedBytes, String tooLarge) throws RequestException {
    if (request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > maxDiscardedBytes) {
      throw new RequestException(413, tooLarge, Map.of("Connection", "close"));
    }
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    long bytes = 0;
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] buffer = new byte[8192];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
        if (bytes > maxDiscardedBytes) throw new RequestException(413, tooLarge, Map.of("Connection", "close"));
        if (bytes <= maxBytes) kept.write(buffer, 0, n);
      }
    } catch (IOException e) {
      throw new RequestException(400, "the body could not be read");
    }
    if (bytes > maxBytes) throw new RequestException(413, tooLarge);
    return kept.toByteArray();
  }
}
