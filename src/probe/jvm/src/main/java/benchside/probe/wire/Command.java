package benchside.probe.wire;

import java.util.HashMap;
import java.util.Map;

/**
 * What the engine asks: {@code get} or {@code collect} with an id, {@code set}, or {@code lend} with the limit as max, 0 for none. The decoder takes one flat
 * JSON object of text, whole numbers and null, and nothing else.
 */
record Command(String type, long id, String what, String poolId, int max, int timeoutMs) {
  private static final int LONGEST_TIMEOUT_MS = 600_000;

  /** @throws IllegalArgumentException when it is anything else */
  static Command parse(String line) {
    Map<String, Object> members = new Decoder(line).object();
    String type = text(members, "type");
    long id = number(members, "id", Long.MIN_VALUE, Long.MAX_VALUE);
    if (type.equals("get") || type.equals("collect")) return new Command(type, id, "", "", 0, 0);
    if (type.equals("lend")) {
      boolean isLifted = members.containsKey("limit") && members.get("limit") == null;
      return new Command(type, id, "", text(members, "poolId"), isLifted ? 0 : (int) number(members, "limit", 1, 1_000_000), 0);
    }
    if (!type.equals("set")) throw new IllegalArgumentException("type");
    int max = (int) number(members, "max", 1, 1_000_000);
    int timeoutMs = (int) Math.min(number(members, "timeoutMs", 1, Integer.MAX_VALUE), LONGEST_TIMEOUT_MS);
    return new Command(type, id, text(members, "what"), text(members, "poolId"), max, timeoutMs);
  }

  private static String text(Map<String, Object> members, String name) {
    if (members.get(name) instanceof String value) return value;
    throw new IllegalArgumentException(name);
  }

  private static long number(Map<String, Object> members, String name, long least, long most) {
    if (members.get(name) instanceof Long value && value >= least && value <= most) return value;
    throw new IllegalArgumentException(name);
  }

  private static final class Decoder {
    private static final int MOST_MEMBERS = 16;
    private final String line;
    private int at;

    Decoder(String line) {
      this.line = line;
    }

    Map<String, Object> object() {
      Map<String, Object> members = new HashMap<>();
      expect('{');
      if (!taken('}')) {
        do {
          String name = string();
          expect(':');
          if (members.size() == MOST_MEMBERS || members.containsKey(name)) throw wrong();
          members.put(name, value());
        } while (taken(','));
        expect('}');
      }
      space();
      if (at != line.length()) throw wrong();
      return members;
    }

    private Object value() {
      space();
      if (at < line.length() && line.charAt(at) == '"') return string();
      if (line.startsWith("null", at)) {
        at += "null".length();
        return null;
      }
      int start = at;
      while (at < line.length() && (line.charAt(at) == '-' || Character.digit(line.charAt(at), 10) >= 0)) at += 1;
      String digits = line.substring(start, at);
      if (!digits.matches("-?(0|[1-9][0-9]{0,17})")) throw wrong();
      return Long.valueOf(digits);
    }

    private String string() {
      expect('"');
      StringBuilder text = new StringBuilder();
      while (at < line.length()) {
        char c = line.charAt(at++);
        if (c == '"') return text.toString();
        if (c < 0x20) throw wrong();
        text.append(c == '\\' ? escaped() : c);
      }
      throw wrong();
    }

    private char escaped() {
      if (at >= line.length()) throw wrong();
      char c = line.charAt(at++);
      int simple = "\"\\/bfnrt".indexOf(c);
      if (simple >= 0) return "\"\\/\b\f\n\r\t".charAt(simple);
      if (c != 'u' || at + 4 > line.length()) throw wrong();
      String hex = line.substring(at, at + 4);
      if (!hex.matches("[0-9A-Fa-f]{4}")) throw wrong();
      at += 4;
      return (char) Integer.parseInt(hex, 16);
    }

    private void expect(char wanted) {
      if (!taken(wanted)) throw wrong();
    }

    private boolean taken(char wanted) {
      space();
      if (at >= line.length() || line.charAt(at) != wanted) return false;
      at += 1;
      return true;
    }

    private void space() {
      while (at < line.length() && " \t\r".indexOf(line.charAt(at)) >= 0) at += 1;
    }

    private IllegalArgumentException wrong() {
      return new IllegalArgumentException("at " + at);
    }
  }
}
