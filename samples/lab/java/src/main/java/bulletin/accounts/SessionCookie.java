package bulletin.accounts;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/** The cookie that says which session a request belongs to. */
final class SessionCookie {
  private static final int TOKEN_BYTES = 16;
  private static final String PREFIX = "session=";
  private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{" + 2 * TOKEN_BYTES + "}");

  private static final SecureRandom random = new SecureRandom();

  private SessionCookie() {}

  static String newToken() {
    byte[] token = new byte[TOKEN_BYTES];
    random.nextBytes(token);
    return HexFormat.of().formatHex(token);
  }

  /** The header of an answer that hands a token to the client. */
  static Map<String, String> setting(String token) {
    return Map.of("Set-Cookie", PREFIX + token + "; Path=/; HttpOnly; SameSite=Lax");
  }

  /** The token that a request carries, or null when it has none that could be one. */
  static String tokenIn(Request request) {
    String cookies = request.getHeaders().get(HttpHeader.COOKIE);
    if (cookies == null) return null;
    for (String cookie : cookies.split(";")) {
      String pair = cookie.trim();
      if (!pair.startsWith(PREFIX)) continue;
      String token = pair.substring(PREFIX.length());
      if (TOKEN.matcher(token).matches()) return token;
    }
    return null;
  }
}
