package bulletin.accounts;

import bulletin.database.Connections;
import bulletin.pools.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Accounts, their sessions and uploads in the database, which all instances of the service share. */
final class AccountTable {
  private static final String INSERT_ACCOUNT = """
      INSERT INTO accounts (name, salt, password_hash)
      VALUES (?, ?, ?)
      ON CONFLICT (name) DO NOTHING
      RETURNING id""";

  private static final String INSERT_SESSION = "INSERT INTO sessions (token, account_id) VALUES (?, ?) RETURNING account_id";

  private static final String PASSWORD_BY_NAME = "SELECT id, salt, password_hash FROM accounts WHERE name = ?";

  private static final String ACCOUNT_OF_SESSION = "SELECT account_id FROM sessions WHERE token = ?";

  private static final String OVERVIEW_OF_SESSION = """
      SELECT accounts.id, accounts.name, (SELECT count(*)::integer FROM uploads WHERE uploads.account_id = accounts.id)
      FROM sessions
      JOIN accounts ON accounts.id = sessions.account_id
      WHERE sessions.token = ?""";

  private static final String DELETE_SESSION = "DELETE FROM sessions WHERE token = ? RETURNING account_id";

  private static final String INSERT_UPLOAD = """
      INSERT INTO uploads (account_id, name, bytes, sha256)
      VALUES (?, ?, ?, ?)
      RETURNING id, name, bytes, sha256""";

  private final Connections connections;

  AccountTable(Connections connections) {
    this.connections = connections;
  }

  /** Opens an account with a first session, or returns null when the name is taken. */
  Account open(String name, byte[] salt, byte[] passwordHash, String token) throws SQLException {
    return Transactions.inTransaction(connections, connection -> {
      List<Integer> ids = Connections.list(connection, INSERT_ACCOUNT, row -> row.getInt(1), name, salt, passwordHash);
      if (ids.isEmpty()) return null;
      insertSession(connection, token, ids.get(0));
      return new Account(ids.get(0), name);
    });
  }

  private static void insertSession(Connection connection, String token, int accountId) throws SQLException {
    Connections.list(connection, INSERT_SESSION, row -> null, token, accountId);
  }

  void startSession(String token, int accountId) throws SQLException {
    connections.list(INSERT_SESSION, row -> null, token, accountId);
  }

  /** What the password of a name is compared with, or null when there is no such account. */
  StoredPassword passwordOf(String name) throws SQLException {
    return connections.first(PASSWORD_BY_NAME, row -> new StoredPassword(row.getInt(1), row.getBytes(2), row.getBytes(3)), name);
  }

  /** The account that a session belongs to, or null when there is no such session. */
  Integer accountOf(String token) throws SQLException {
    return connections.first(ACCOUNT_OF_SESSION, row -> row.getInt(1), token);
  }

  AccountOverview overviewOf(String token) throws SQLException {
    return connections.first(OVERVIEW_OF_SESSION, row -> new AccountOverview(row.getInt(1), row.getString(2), row.getInt(3)), token);
  }

  void endSession(String token) throws SQLException {
    connections.list(DELETE_SESSION, row -> null, token);
  }

  Upload insertUpload(int accountId, UploadedFile file) throws SQLException {
    return connections.first(INSERT_UPLOAD, row -> new Upload(row.getInt(1), row.getString(2), row.getInt(3), row.getString(4)),
        accountId, file.name(), file.bytes(), file.sha256());
  }

  /** What is kept of a password. */
  record StoredPassword(int accountId, byte[] salt, byte[] hash) {}
}
