package benchside.probe.wire;

/** Writes one JSON document into one line. Text is cut to 400 characters and has no line breaks. */
public final class JsonWriter {
  private static final int LONGEST_TEXT = 400;
  private final StringBuilder out = new StringBuilder(2048);
  private boolean first = true;

  public JsonWriter openObject(String name) {
    return open(name, '{');
  }

  public JsonWriter closeObject() {
    return close('}');
  }

  public JsonWriter openArray(String name) {
    return open(name, '[');
  }

  public JsonWriter closeArray() {
    return close(']');
  }

  public JsonWriter text(String name, String value) {
    name(name);
    if (value == null) out.append("null");
    else quote(value);
    return this;
  }

  public JsonWriter number(String name, Number value) {
    name(name);
    out.append(value == null ? "null" : Long.toString(value.longValue()));
    return this;
  }

  /** To thousandths, without what a locale would do to it. */
  public JsonWriter decimal(String name, double value) {
    name(name);
    out.append(Math.round(value * 1000) / 1000.0);
    return this;
  }

  public JsonWriter flag(String name, boolean value) {
    name(name);
    out.append(value);
    return this;
  }

  public JsonWriter element(String value) {
    return text(null, value);
  }

  public JsonWriter pair(long left, long right) {
    name(null);
    out.append('[').append(left).append(',').append(right).append(']');
    return this;
  }

  /** The document with the line break that ends it. */
  public String line() {
    return out.append('\n').toString();
  }

  private JsonWriter open(String name, char bracket) {
    name(name);
    out.append(bracket);
    first = true;
    return this;
  }

  private JsonWriter close(char bracket) {
    out.append(bracket);
    first = false;
    return this;
  }

  private void name(String name) {
    if (!first) out.append(',');
    first = false;
    if (name == null) return;
    quote(name);
    out.append(':');
  }

  private void quote(String value) {
    out.append('"');
    int length = Math.min(value.length(), LONGEST_TEXT);
    for (int i = 0; i < length; i += 1) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < 0x20 || c == 0x7f || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }
}
