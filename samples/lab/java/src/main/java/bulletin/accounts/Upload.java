package bulletin.accounts;

import bulletin.http.Json;
import bulletin.http.JsonObject;

/** What is known of a file that was uploaded; its bytes are not kept. */
record Upload(int id, String name, int bytes, String sha256) implements JsonObject {
  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"id\":").append(id).append(",\"name\":");
    Json.appendString(json, name);
    json.append(",\"bytes\":").append(bytes).append(",\"sha256\":");
    Json.appendString(json, sha256);
    json.append('}');
  }
}
