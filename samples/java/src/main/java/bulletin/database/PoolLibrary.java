package bulletin.database;

/** Who keeps the connections. */
public enum PoolLibrary {
  /** HikariCP. */
  HIKARI,
  /** Apache Commons DBCP 2. */
  DBCP2,
  /** The pool that comes with the driver. */
  PGJDBC;

  Pool open(PoolSettings settings) {
    return switch (this) {
      case HIKARI -> new HikariConnections(settings);
      case DBCP2 -> new Dbcp2Connections(settings);
      case PGJDBC -> new DriverConnections(settings);
    };
  }
}
