package bulletin.limits;

import bulletin.http.Json;
import bulletin.http.JsonObject;

/** What a seller offers in a category, and the share of that in thousandths of all that the category is worth. */
record SellerReport(int sellerId, String seller, String city, int ads, int averageCents, int share) implements JsonObject {
  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"sellerId\":").append(sellerId).append(",\"seller\":");
    Json.appendString(json, seller);
    json.append(",\"city\":");
    Json.appendString(json, city);
    json.append(",\"ads\":").append(ads);
    json.append(",\"averageCents\":").append(averageCents);
    json.append(",\"share\":").append(share).append('}');
  }
}
