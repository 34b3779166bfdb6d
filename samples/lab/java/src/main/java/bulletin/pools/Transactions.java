package bulletin.pools;

import bulletin.database.Connections;
import java.sql.Connection;
import java.sql.SQLException;

/** Several statements on one connection. */
public final class Transactions {
  private Transactions() {}

  /** Does what is to be done on one connection as one transaction, which is taken back when that fails. */
  public static <T> T inTransaction(Connections connections, Connections.Work<T> work) throws SQLException {
    return connections.holding(connection -> {
      connection.setAutoCommit(false);
      try {
        T result = work.on(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        rollback(connection, e);
        throw e;
      } finally {
        if (!connection.isClosed()) connection.setAutoCommit(true);
      }
    });
  }

  private static void rollback(Connection connection, Exception reason) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // the connection is gone, and with it the transaction
      reason.addSuppressed(e);
    }
  }
}
