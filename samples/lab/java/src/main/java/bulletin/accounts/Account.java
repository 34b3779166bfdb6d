package bulletin.accounts;

import bulletin.http.Json;
import bulletin.http.JsonObject;

/** An account as its owner sees it when it was opened or entered. */
record Account(int id, String name) implements JsonObject {
  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"id\":").append(id).append(",\"name\":");
    Json.appendString(json, name);
    json.append('}');
  }
}
