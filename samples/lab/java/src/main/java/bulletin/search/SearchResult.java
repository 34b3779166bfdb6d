package bulletin.search;

import bulletin.http.Json;
import bulletin.http.JsonObject;

/**
 * What a search has found.
 *
 * @param first offset of the first match in bytes, or -1
 */
record SearchResult(String word, int matches, int first) implements JsonObject {
  @Override
  public void appendTo(StringBuilder json) {
    json.append("{\"word\":");
    Json.appendString(json, word);
    json.append(",\"matches\":").append(matches).append(",\"first\":").append(first).append('}');
  }
}
