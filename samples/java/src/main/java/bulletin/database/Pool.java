package bulletin.database;

import java.sql.Connection;
import java.sql.SQLException;

/** A pool of connections. */
public interface Pool extends AutoCloseable {
  /** Waits for a connection, for as long as the settings allow. */
  Connection borrow() throws SQLException;

  /** Ends a loan; must come once for each. */
  default void giveBack(Connection connection) throws SQLException {
    connection.close();
  }

  @Override
  void close();
}
