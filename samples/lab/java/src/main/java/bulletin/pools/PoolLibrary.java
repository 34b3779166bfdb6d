package bulletin.pools;

import bulletin.database.HikariConnections;
import bulletin.database.Pool;
import bulletin.database.PoolSettings;

/** Who keeps the connections. */
public enum PoolLibrary {
  /** HikariCP. */
  HIKARI,
  /** Apache Commons DBCP 2. */
  DBCP2,
  /** The pool that comes with the driver. */
  PGJDBC;

  /**
   * Where a request opens its connection itself, that may take so long, whatever the time-out of the pool: the first one in a JVM that
   * has just started takes seconds on a busy machine.
   */
  public static final int OPEN_TIMEOUT_SECONDS = 10;

  public Pool open(PoolSettings settings) {
    return switch (this) {
      case HIKARI -> new HikariConnections(settings);
      case DBCP2 -> new Dbcp2Connections(settings);
      case PGJDBC -> new DriverConnections(settings);
    };
  }
}
