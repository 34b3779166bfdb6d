package bulletin.files;

import bulletin.http.Reply;
import bulletin.http.Timing;
import java.nio.file.Path;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** A file, read and sent piece by piece. */
record FileReply(Path file, long bytes, String contentType) implements Reply {
  private static final int PIECE_BYTES = 64 * 1024;

  @Override
  public void sendTo(Response response, Callback callback, Timing timing) {
    response.setStatus(200);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    if (timing != null) timing.addTo(response);
    sendFile(response, callback);
  }

  private void sendFile(Response response, Callback callback) {
    ByteBufferPool buffers = response.getRequest().getComponents().getByteBufferPool();
    Content.copy(Content.Source.from(new ByteBufferPool.Sized(buffers, true, PIECE_BYTES), file), response, callback);
  }
}
