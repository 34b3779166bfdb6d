package bulletin.accounts;

import bulletin.database.Connections;
import bulletin.http.Answer;
import bulletin.http.JsonBody;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/** Accounts: opened, entered, left, and used for uploads. */
public final class Accounts {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{3,40}");
  private static final int MIN_PASSWORD_LENGTH = 8;
  private static final int MAX_PASSWORD_LENGTH = 200;

  private final AccountTable table;

  public Accounts(Connections connections) {
    table = new AccountTable(connections);
  }

  /** Answers POST /accounts. */
  public Reply open(Request request, String segment) throws RequestException, SQLException {
    Credentials credentials = credentialsIn(request);
    byte[] salt = Passwords.newSalt();
    byte[] hash = Passwords.hashPassword(credentials.password(), salt);
    String token = SessionCookie.newToken();
    Account account = table.open(credentials.name(), salt, hash, token);
    if (account == null) throw new RequestException(409, "the name is taken");
    return Answer.json(201, account, SessionCookie.setting(token));
  }

  /** Answers POST /session. */
  public Reply logIn(Request request, String segment) throws RequestException, SQLException {
    Credentials credentials = credentialsIn(request);
    AccountTable.StoredPassword stored = table.passwordOf(credentials.name());
    if (stored == null || !Passwords.matches(credentials.password(), stored.salt(), stored.hash())) {
      throw new RequestException(401, "name or password is wrong");
    }
    String token = SessionCookie.newToken();
    table.startSession(token, stored.accountId());
    return Answer.json(200, new Account(stored.accountId(), credentials.name()), SessionCookie.setting(token));
  }

  /** Answers DELETE /session, whether there was one or not. */
  public Reply logOut(Request request, String segment) throws SQLException {
    String token = SessionCookie.tokenIn(request);
    if (token != null) table.endSession(token);
    return Answer.empty();
  }

  /** Answers GET /account. */
  public Reply overview(Request request, String segment) throws RequestException, SQLException {
    String token = SessionCookie.tokenIn(request);
    AccountOverview overview = token == null ? null : table.overviewOf(token);
    if (overview == null) throw notLoggedIn();
    return Answer.json(200, overview);
  }

  /** Answers POST /uploads. */
  public Reply upload(Request request, String segment) throws RequestException, SQLException {
    String token = SessionCookie.tokenIn(request);
    Integer accountId = token == null ? null : table.accountOf(token);
    if (accountId == null) {
      discard(request, UploadedFile.MAX_BODY_BYTES);
      throw notLoggedIn();
    }
    return Answer.json(201, table.insertUpload(accountId, UploadedFile.read(request)));
  }

  /** Reads a body to its end and throws it away, so that a client that is still sending it gets to see the answer. */
  private static void discard(Request request, int maxBytes) {
    try (InputStream in = Content.Source.asInputStream(request)) {
      byte[] buffer = new byte[8192];
      long left = maxBytes;
      for (int n = in.read(buffer); n >= 0 && left > 0; n = in.read(buffer)) left -= n;
    } catch (IOException e) {
      // a client that breaks off wants no answer
    }
  }

  private static RequestException notLoggedIn() {
    return new RequestException(401, "not logged in");
  }

  private static Credentials credentialsIn(Request request) throws RequestException {
    JsonBody body = JsonBody.read(request);
    String name = body.text("name");
    if (name == null || !NAME.matcher(name).matches()) {
      throw new RequestException(400, "name must be 3 to 40 lower-case letters, digits and dashes");
    }
    return new Credentials(name, body.textIn("password", MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH));
  }

  private record Credentials(String name, String password) {}
}
