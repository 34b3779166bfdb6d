package bulletin.http;

/** Writes JSON text. Strings come out as JavaScript's JSON.stringify writes them; only well-formed Unicode is expected. */
public final class Json {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private Json() {}

  public static String quote(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2);
    appendString(out, text);
    return out.toString();
  }

  /** Appends a string in quotes: only quotes, backslashes and control characters below U+0020 are escaped. */
  public static void appendString(StringBuilder out, String text) {
    out.append('"');
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\') continue;
      out.append(text, copied, i);
      copied = i + 1;
      appendEscaped(out, c);
    }
    out.append(text, copied, text.length()).append('"');
  }

  private static void appendEscaped(StringBuilder out, char c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> out.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
    }
  }
}
