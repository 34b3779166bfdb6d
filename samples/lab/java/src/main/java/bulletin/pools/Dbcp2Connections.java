package bulletin.pools;

import bulletin.database.Pool;
import bulletin.database.PoolSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.commons.dbcp2.BasicDataSource;

/** Apache Commons DBCP 2: opens a connection when it is first needed, on the thread that needs it. */
final class Dbcp2Connections implements Pool {
  private final BasicDataSource connections = new BasicDataSource();

  Dbcp2Connections(PoolSettings settings) {
    connections.setUrl(settings.jdbcUrl());
    connections.setUsername(settings.user());
    connections.setPassword(settings.password());
    connections.setMaxTotal(settings.size());
    connections.setMaxIdle(settings.size()); // the default of 8 would close those above it at each return
    connections.setMaxWait(Duration.ofMillis(settings.timeoutMs()));
    // By default each loan costs a round trip to the database. HikariCP spares it while connections are in use, and so does this:
    // one that was lost fails once, and is not kept then.
    connections.setTestOnBorrow(false);
    connections.addConnectionProperty("prepareThreshold", String.valueOf(PoolSettings.PREPARE_THRESHOLD));
    connections.addConnectionProperty("options", PoolSettings.SESSION_OPTIONS);
    connections.addConnectionProperty("socketTimeout", String.valueOf(PoolSettings.ANSWER_TIMEOUT_SECONDS));
    connections.addConnectionProperty("loginTimeout", String.valueOf(PoolLibrary.OPEN_TIMEOUT_SECONDS));
    connections.addConnectionProperty("ApplicationName", PoolSettings.APPLICATION_NAME);
  }

  @Override
  public Connection borrow() throws SQLException {
    return connections.getConnection();
  }

  @Override
  public void close() {
    try {
      connections.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
