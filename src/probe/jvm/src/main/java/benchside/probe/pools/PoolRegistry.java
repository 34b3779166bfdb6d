package benchside.probe.pools;

import benchside.probe.Access;
import benchside.probe.Registry;

/** The pools of connections that were found. */
public final class PoolRegistry {
  public static final Registry<ConnectionPool> pools = new Registry<>();

  private PoolRegistry() {}

  /** A pool that was just made; the app may have made a subclass of it. */
  public static void add(Object pool) throws ReflectiveOperationException {
    for (Class<?> type = pool.getClass(); type != null; type = type.getSuperclass()) {
      switch (type.getName()) {
        case "com.zaxxer.hikari.pool.HikariPool" -> hikari(pool);
        case "org.apache.tomcat.jdbc.pool.ConnectionPool" -> tomcatJdbc(pool);
        case "com.mchange.v2.resourcepool.BasicResourcePool" -> c3p0(pool);
        case "io.r2dbc.pool.ConnectionPool" -> r2dbc(Access.field(pool, "connectionPool"));
        case "io.vertx.sqlclient.impl.pool.SqlConnectionPool" -> vertx(pool);
        case "org.apache.hc.core5.pool.StrictConnPool", "org.apache.hc.core5.pool.LaxConnPool", "org.apache.http.pool.AbstractConnPool" -> http(pool);
        default -> {}
      }
    }
  }

  public static HikariConnections hikari(Object pool) throws ReflectiveOperationException {
    return (HikariConnections) pools.findOrAdd(pool, HikariConnections::new);
  }

  public static HttpConnections http(Object pool) throws ReflectiveOperationException {
    return (HttpConnections) pools.findOrAdd(pool, HttpConnections::new);
  }

  public static DriverPool driver(Object pool) throws ReflectiveOperationException {
    return (DriverPool) pools.findOrAdd(pool, DriverPool::new);
  }

  public static GenericObjects generic(Object pool) throws ReflectiveOperationException {
    return (GenericObjects) pools.findOrAdd(pool, GenericObjects::new);
  }

  public static TomcatJdbcConnections tomcatJdbc(Object pool) throws ReflectiveOperationException {
    return (TomcatJdbcConnections) pools.findOrAdd(pool, TomcatJdbcConnections::new);
  }

  public static AgroalConnections agroal(Object pool) throws ReflectiveOperationException {
    return (AgroalConnections) pools.findOrAdd(pool, AgroalConnections::new);
  }

  public static C3p0Connections c3p0(Object pool) throws ReflectiveOperationException {
    return (C3p0Connections) pools.findOrAdd(pool, C3p0Connections::new);
  }

  public static VertxConnections vertx(Object pool) throws ReflectiveOperationException {
    return (VertxConnections) pools.findOrAdd(pool, VertxConnections::new);
  }

  /** @param pool the one of reactor-pool that R2DBC’s has within */
  public static R2dbcConnections r2dbc(Object pool) throws ReflectiveOperationException {
    return (R2dbcConnections) pools.findOrAdd(pool, R2dbcConnections::new);
  }
}
