package bulletin;

import bulletin.http.JsonBody;
import bulletin.http.RequestException;
import org.eclipse.jetty.server.Request;

/** An advertisement that is to be inserted. */
record NewAd(String title, String description, int categoryId, int sellerId, int priceCents) {
  private static final int MAX_TITLE_LENGTH = 200;
  private static final int MAX_DESCRIPTION_LENGTH = 10_000;
  private static final int MAX_PRICE_CENTS = 1_000_000_000;

  /**
   * Reads the advertisement in a request's body. Keys that are not known are ignored.
   *
   * @throws RequestException 413 when the body is too large, 400 when it is not what it should be
   */
  static NewAd read(Request request) throws RequestException {
    JsonBody body = JsonBody.read(request);
    return new NewAd(
        body.textIn("title", 1, MAX_TITLE_LENGTH),
        body.textIn("description", 0, MAX_DESCRIPTION_LENGTH),
        body.integerIn("categoryId", 1, Integer.MAX_VALUE),
        body.integerIn("sellerId", 1, Integer.MAX_VALUE),
        body.integerIn("priceCents", 0, MAX_PRICE_CENTS));
  }
}
