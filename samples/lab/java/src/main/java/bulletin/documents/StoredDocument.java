package bulletin.documents;

import bulletin.http.Json;
import bulletin.http.JsonBody;
import bulletin.http.JsonObject;
import java.io.IOException;

/** A document as clients get it. */
record StoredDocument(int id, String title, String body) implements JsonObject {
  /**
   * Reads what the store has answered.
   *
   * @throws IOException when it is not a document
   */
  static StoredDocument read(byte[] json) throws IOException {
    JsonBody stored = JsonBody.parse(json);
    if (stored == null) throw new IOException("the store's answer is no JSON object");
    Integer id = stored.integer("id");
    String title = stored.text("title");
    String body = stored.text("body");
    if (id == null || title == null || body == null) throw new IOException("the stored document lacks id, title or body");
    return new StoredDocument(id, title, body);
  }

  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"id\":").append(id).append(",\"title\":");
    Json.appendString(json, title);
    json.append(",\"body\":");
    Json.appendString(json, body);
    json.append('}');
  }
}
