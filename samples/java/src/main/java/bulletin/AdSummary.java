package bulletin;

import bulletin.http.Json;
import bulletin.http.JsonObject;

/** An advertisement as it is in a list. Times are UTC, such as 2025-12-31T23:59:59Z. */
record AdSummary(int id, String title, int categoryId, int sellerId, int priceCents, String createdAt) implements JsonObject {
  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"id\":").append(id).append(",\"title\":");
    Json.appendString(json, title);
    json.append(",\"categoryId\":").append(categoryId);
    json.append(",\"sellerId\":").append(sellerId);
    json.append(",\"priceCents\":").append(priceCents).append(",\"createdAt\":");
    Json.appendString(json, createdAt);
    json.append('}');
  }
}
