package bulletin.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.server.Request;

/** The texts and numbers at the top level of a JSON object. */
public final class JsonBody {
  private static final int MAX_BODY_BYTES = 64 * 1024;
  private static final int MAX_DISCARDED_BYTES = 1024 * 1024;
  private static final String TOO_LARGE = "the body must not be larger than " + MAX_BODY_BYTES + " bytes";

  /** The size of a body is limited already; what it may hold inside is not limited further. */
  private static final JsonFactory jsonFactory = JsonFactory.builder()
      .streamReadConstraints(StreamReadConstraints.builder()
          .maxNestingDepth(MAX_BODY_BYTES).maxNumberLength(MAX_BODY_BYTES).maxNameLength(MAX_BODY_BYTES).build())
      .build();

  private final Map<String, Object> values;

  private JsonBody(Map<String, Object> values) {
    this.values = values;
  }

  /**
   * Reads the object in a request's body.
   *
   * @throws RequestException 413 when the body is too large, 400 when it is no JSON object
   */
  public static JsonBody read(Request request) throws RequestException {
    byte[] bytes = RequestBody.read(request, MAX_BODY_BYTES, MAX_DISCARDED_BYTES, TOO_LARGE);
    try {
      JsonBody body = parse(bytes);
      if (body == null) throw new RequestException(400, "the body must be a JSON object");
      return body;
    } catch (IOException e) {
      throw new RequestException(400, "the body must be JSON in UTF-8");
    }
  }

  /**
   * Reads an object; a key that comes twice has its last value.
   *
   * @return the object, or null when the text is another kind of value
   * @throws IOException when it is not JSON in UTF-8
   */
  public static JsonBody parse(byte[] bytes) throws IOException {
    Map<String, Object> values = new HashMap<>();
    try (JsonParser parser = jsonFactory.createParser(decode(bytes))) {
      boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
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
      return isObject ? new JsonBody(values) : null;
    }
  }

  private static String decode(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /** The text of a key, whatever its length, or null. */
  public String text(String name) {
    return values.get(name) instanceof String text ? text : null;
  }

  /** The whole number of a key, or null. */
  public Integer integer(String name) {
    boolean whole = values.get(name) instanceof Double number && number == Math.rint(number) && Math.abs(number) <= Integer.MAX_VALUE;
    return whole ? (Integer) ((Double) values.get(name)).intValue() : null;
  }

  /** Lengths are in UTF-16 units. PostgreSQL can store neither NUL nor half of a surrogate pair. */
  public String textIn(String name, int min, int max) throws RequestException {
    if (values.get(name) instanceof String text && text.length() >= min && text.length() <= max
        && text.indexOf('\0') == -1 && StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      return text;
    }
    throw new RequestException(400, name + " must be a text of " + min + " to " + max + " characters");
  }

  public int integerIn(String name, int min, int max) throws RequestException {
    if (values.get(name) instanceof Double number && number == Math.rint(number) && number >= min && number <= max) return number.intValue();
    throw new RequestException(400, name + " must be a whole number from " + min + " to " + max);
  }
}
