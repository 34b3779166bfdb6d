package bulletin.accounts;

import bulletin.http.Json;
import bulletin.http.JsonObject;

/** An account with the number of its uploads. */
record AccountOverview(int id, String name, int uploads) implements JsonObject {
  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"id\":").append(id).append(",\"name\":");
    Json.appendString(json, name);
    json.append(",\"uploads\":").append(uploads).append('}');
  }
}
