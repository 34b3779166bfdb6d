package bulletin.http;

import org.eclipse.jetty.server.Request;

/** Reads what is in the query and the path of a request. */
public final class Query {
  private Query() {}

  /** The number that a query parameter carries, or {@code preset} when it is absent or empty. */
  public static Integer numberIn(Request request, String name, int min, int max, Integer preset) throws RequestException {
    String text = parameter(request.getHttpURI().getQuery(), name);
    return text == null || text.isEmpty() ? preset : (Integer) number(text, name, min, max);
  }

  /** The text that a query parameter carries, as it is, or {@code preset} when it is absent or empty. */
  public static String textIn(Request request, String name, String preset) {
    String text = parameter(request.getHttpURI().getQuery(), name);
    return text == null || text.isEmpty() ? preset : text;
  }

  /** The number that a path's segment is. */
  public static int idIn(String segment, int max) throws RequestException {
    return number(segment, "id", 1, max);
  }

  private static int number(String text, String name, int min, int max) throws RequestException {
    int value = wholeNumber(text, min, max);
    if (value == -1) throw new RequestException(400, name + " must be a whole number from " + min + " to " + max);
    return value;
  }

  /** The first value of a query parameter as it is, or null: all of them are plain numbers and words, so nothing is decoded. */
  private static String parameter(String query, String name) {
    if (query == null) return null;
    for (String part : query.split("&")) {
      if (part.equals(name)) return "";
      if (part.startsWith(name) && part.charAt(name.length()) == '=') return part.substring(name.length() + 1);
    }
    return null;
  }

  /** The number that a text is, or -1 when it is none from {@code min} (which is not negative) to {@code max}. */
  private static int wholeNumber(String text, int min, int max) {
    if (text.isEmpty() || text.length() > 10 || (text.length() > 1 && text.charAt(0) == '0')) return -1;
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') return -1;
      value = value * 10 + (c - '0');
    }
    return value >= min && value <= max ? (int) value : -1;
  }
}
