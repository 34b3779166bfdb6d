package bulletin.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;

/** HikariCP: opens all connections at the start, and tests one that was not used for half a second before it lends it. */
public final class HikariConnections implements Pool {
  private final HikariDataSource connections;

  public HikariConnections(PoolSettings settings) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("database");
    config.setJdbcUrl(settings.jdbcUrl());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(settings.size());
    config.setConnectionTimeout(settings.timeoutMs());
    config.setValidationTimeout(Math.min(settings.timeoutMs(), 5000));
    config.setInitializationFailTimeout(-1); // the service starts without its database and waits for it
    config.setMaxLifetime(0); // connections are kept: opening one costs more than a hundred short statements
    config.setKeepaliveTime(0);
    config.addDataSourceProperty("prepareThreshold", PoolSettings.PREPARE_THRESHOLD);
    config.addDataSourceProperty("options", PoolSettings.SESSION_OPTIONS);
    config.addDataSourceProperty("socketTimeout", PoolSettings.ANSWER_TIMEOUT_SECONDS);
    config.addDataSourceProperty("ApplicationName", PoolSettings.APPLICATION_NAME);
    connections = new HikariDataSource(config);
  }

  @Override
  public Connection borrow() throws SQLException {
    return connections.getConnection();
  }

  @Override
  public void close() {
    connections.close();
  }
}
