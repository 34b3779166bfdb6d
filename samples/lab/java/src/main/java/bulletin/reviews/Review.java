package bulletin.reviews;

import bulletin.http.Json;
import bulletin.http.JsonObject;

/** A review. Times are UTC, such as 2025-12-31T23:59:59Z. */
record Review(int id, int rating, String text, String createdAt) implements JsonObject {
  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"id\":").append(id).append(",\"rating\":").append(rating).append(",\"text\":");
    Json.appendString(json, text);
    json.append(",\"createdAt\":");
    Json.appendString(json, createdAt);
    json.append('}');
  }
}
