package bulletin;

import bulletin.http.Json;
import bulletin.http.JsonObject;

/** An advertisement of the same category at nearly the same price, with the names of its category and its seller. */
record SimilarAd(int id, String title, String category, String seller, String city, int priceCents) implements JsonObject {
  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"id\":").append(id).append(",\"title\":");
    Json.appendString(json, title);
    json.append(",\"category\":");
    Json.appendString(json, category);
    json.append(",\"seller\":");
    Json.appendString(json, seller);
    json.append(",\"city\":");
    Json.appendString(json, city);
    json.append(",\"priceCents\":").append(priceCents).append('}');
  }
}
