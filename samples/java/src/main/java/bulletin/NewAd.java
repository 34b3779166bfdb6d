package bulletin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** An advertisement that is to be inserted. */
record NewAd(String title, String description, int categoryId, int sellerId, int priceCents) {
  private static final int MAX_BODY_BYTES = 64 * 1024;
  /** A body that is too large is read to its end and thrown away up to this size, so that the client gets to see the answer. */
  private static final int MAX_DISCARDED_BYTES = 1024 * 1024;
  private static final int MAX_TITLE_LENGTH = 200;
  private static final int MAX_DESCRIPTION_LENGTH = 10_000;
  private static final int MAX_PRICE_CENTS = 1_000_000_000;
  private static final String TOO_LARGE = "the body must not be larger than " + MAX_BODY_BYTES + " bytes";

  /** The size of a body is limited already; what it may hold inside is not limited further. */
  private static final JsonFactory jsonFactory = JsonFactory.builder()
      .streamReadConstraints(StreamReadConstraints.builder()
          .maxNestingDepth(MAX_BODY_BYTES).maxNumberLength(MAX_BODY_BYTES).maxNameLength(MAX_BODY_BYTES).build())
      .build();

  /**
   * Reads the advertisement in a request's body. Keys that are not known are ignored.
   *
   * @throws RequestException 413 when the body is too large, 400 when it is not what it should be
   */
  static NewAd read(Request request) throws RequestException {
    Map<String, Object> body = parse(readBody(request));
    return new NewAd(
        textIn(body, "title", 1, MAX_TITLE_LENGTH),
        textIn(body, "description", 0, MAX_DESCRIPTION_LENGTH),
        integerIn(body, "categoryId", 1, Integer.MAX_VALUE),
        integerIn(body, "sellerId", 1, Integer.MAX_VALUE),
        integerIn(body, "priceCents", 0, MAX_PRICE_CENTS));
  }

  private static byte[] readBody(Request request) throws RequestException {
    if (request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) > MAX_DISCARDED_BYTES) {
      throw new RequestException(413, TOO_LARGE, Map.of("Connection", "close"));
    }
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    long bytes = 0;
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] buffer = new byte[8192];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        bytes += n;
        if (bytes > MAX_DISCARDED_BYTES) throw new RequestException(413, TOO_LARGE, Map.of("Connection", "close"));
        if (bytes <= MAX_BODY_BYTES) kept.write(buffer, 0, n);
      }
    } catch (IOException e) {
      throw new RequestException(400, "the body could not be read");
    }
    if (bytes > MAX_BODY_BYTES) throw new RequestException(413, TOO_LARGE);
    return kept.toByteArray();
  }

  /** The texts and numbers at the top level of an object; a key that comes twice has its last value. */
  private static Map<String, Object> parse(byte[] bytes) throws RequestException {
    Map<String, Object> values = new HashMap<>();
    boolean isObject;
    try (JsonParser parser = jsonFactory.createParser(decode(bytes))) {
      isObject = parser.nextToken() == JsonToken.START_OBJECT;
      if (!isObject && parser.currentToken() == null) throw new IOException("nothing in it");
      while (isObject && parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        if (token == JsonToken.VALUE_STRING) values.put(name, parser.getText());
        else if (token.isNumeric()) values.put(name, parser.getDoubleValue());
        else values.put(name, token);
        parser.skipChildren();
      }
      parser.skipChildren();
      if (parser.nextToken() != null) throw new IOException("more than one value");
    } catch (IOException e) {
      throw new RequestException(400, "the body must be JSON in UTF-8");
    }
    if (!isObject) throw new RequestException(400, "the body must be a JSON object");
    return values;
  }

  private static String decode(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /** Lengths are in UTF-16 units. PostgreSQL can store neither NUL nor half of a surrogate pair. */
  private static String textIn(Map<String, Object> body, String name, int min, int max) throws RequestException {
    if (body.get(name) instanceof String text && text.length() >= min && text.length() <= max
        && text.indexOf('\0') == -1 && StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      return text;
    }
    throw new RequestException(400, name + " must be a text of " + min + " to " + max + " characters");
  }

  private static int integerIn(Map<String, Object> body, String name, int min, int max) throws RequestException {
    if (body.get(name) instanceof Double number && number == Math.rint(number) && number >= min && number <= max) return number.intValue();
    throw new RequestException(400, name + " must be a whole number from " + min + " to " + max);
  }
}
