package bulletin;

import bulletin.http.Json;
import bulletin.http.JsonObject;

/** An advertisement with all that is known of it. Times are UTC, such as 2025-12-31T23:59:59Z. */
record Ad(int id, String title, String description, int categoryId, int sellerId, int priceCents, String createdAt) implements JsonObject {
  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"id\":").append(id).append(",\"title\":");
    Json.appendString(json, title);
    json.append(",\"description\":");
    Json.appendString(json, description);
    json.append(",\"categoryId\":").append(categoryId);
    json.append(",\"sellerId\":").append(sellerId);
    json.append(",\"priceCents\":").append(priceCents).append(",\"createdAt\":");
    Json.appendString(json, createdAt);
    json.append('}');
  }
}
