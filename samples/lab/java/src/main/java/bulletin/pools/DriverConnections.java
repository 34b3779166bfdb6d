package bulletin.pools;

import bulletin.database.Pool;
import bulletin.database.PoolSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGPoolingDataSource;

/**
 * The driver's own pool, which its authors advise against: it waits for a connection without any limit. So that a request is refused
 * in time here as well, only as many come to it as it has connections, and the others wait in front of it.
 */
@SuppressWarnings("deprecation")
final class DriverConnections implements Pool {
  private final PGPoolingDataSource connections = new PGPoolingDataSource();
  private final Semaphore free;
  private final int timeoutMs;

  DriverConnections(PoolSettings settings) {
    connections.setDataSourceName("database");
    connections.setUrl(settings.jdbcUrl());
    if (settings.user() != null) connections.setUser(settings.user());
    if (settings.password() != null) connections.setPassword(settings.password());
    connections.setMaxConnections(settings.size());
    connections.setPrepareThreshold(PoolSettings.PREPARE_THRESHOLD);
    connections.setOptions(PoolSettings.SESSION_OPTIONS);
    connections.setSocketTimeout(PoolSettings.ANSWER_TIMEOUT_SECONDS);
    connections.setLoginTimeout(PoolLibrary.OPEN_TIMEOUT_SECONDS);
    connections.setApplicationName(PoolSettings.APPLICATION_NAME);
    free = new Semaphore(settings.size());
    timeoutMs = settings.timeoutMs();
  }

  @Override
  public Connection borrow() throws SQLException {
    waitForFreeConnection();
    try {
      return connections.getConnection();
    } catch (SQLException | RuntimeException e) {
      free.release();
      throw e;
    }
  }

  @Override
  public void giveBack(Connection connection) throws SQLException {
    try {
      connection.close();
    } finally {
      free.release();
    }
  }

  private void waitForFreeConnection() throws SQLException {
    try {
      if (free.tryAcquire(timeoutMs, TimeUnit.MILLISECONDS)) return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new SQLTransientConnectionException("No connection came free within " + timeoutMs + " ms.");
  }

  @Override
  public void close() {
    connections.close();
  }
}
