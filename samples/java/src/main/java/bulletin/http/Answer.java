package bulletin.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** An answer that is complete: status, headers and a text. */
public record Answer(int status, String contentType, String body, Map<String, String> headers) implements Reply {
  private static final int NO_CONTENT = 204;

  public static Answer json(int status, String json) {
    return new Answer(status, "application/json", json, Map.of());
  }

  public static Answer json(int status, JsonObject object) {
    return json(status, object, Map.of());
  }

  public static Answer json(int status, JsonObject object, Map<String, String> headers) {
    StringBuilder json = new StringBuilder(512);
    object.appendTo(json);
    return new Answer(status, "application/json", json.toString(), headers);
  }

  public static Answer json(int status, List<? extends JsonObject> objects) {
    StringBuilder json = new StringBuilder(256 * (1 + objects.size())).append('[');
    for (JsonObject object : objects) {
      if (json.length() > 1) json.append(',');
      object.appendTo(json);
    }
    return json(status, json.append(']').toString());
  }

  public static Answer empty() {
    return new Answer(NO_CONTENT, null, "", Map.of());
  }

  public static Answer error(int status, String message, Map<String, String> headers) {
    return new Answer(status, "application/json", "{\"error\":" + Json.quote(message) + "}", headers);
  }

  @Override
  public void sendTo(Response response, Callback callback, Timing timing) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    if (status != NO_CONTENT) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.length);
    }
    headers.forEach(response.getHeaders()::put);
    if (timing != null) timing.addTo(response);
    response.write(true, ByteBuffer.wrap(bytes), callback);
  }
}
