package bulletin.documents;

import bulletin.http.Answer;
import bulletin.http.RequestException;
import java.io.IOException;
import java.util.Map;

/** What becomes of the store's answers. */
final class StoreAnswer {
  static final String UNAVAILABLE = "document store unavailable";

  private StoreAnswer() {}

  static Answer passedOn(int status, byte[] body) {
    if (status == 404) return Answer.error(404, "no such document", Map.of());
    if (status != 200) return unavailable();
    try {
      return Answer.json(200, StoredDocument.read(body));
    } catch (IOException e) {
      return unavailable();
    }
  }

  static Answer unavailable() {
    return Answer.error(503, UNAVAILABLE, Map.of());
  }
}
