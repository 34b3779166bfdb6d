package benchside.probe.pools;

import benchside.probe.Access;
import benchside.probe.Registry;

/** The pools of connections that were found. */
public final class PoolRegistry {
  public static final Registry<ConnectionPool> pools = new Registry<>();

  private PoolRegistry() {}

  /** The one of an object of the app, whose class may be a subclass of one that is known; null where none is. */
  public static ConnectionPool of(Object pool) throws ReflectiveOperationException {
    ConnectionPool known = pools.find(pool);
    for (Class<?> type = pool.getClass(); known == null && type != null; type = type.getSuperclass()) {
      String name = type.getName();
      if (name.equals("io.r2dbc.pool.ConnectionPool")) return r2dbc(Access.field(pool, "connectionPool"));
      Registry.Maker<ConnectionPool> maker = makerFor(name);
      if (maker != null) known = pools.findOrAdd(pool, maker);
    }
    return known;
  }

  private static Registry.Maker<ConnectionPool> makerFor(String type) {
    return switch (type) {
      case "com.zaxxer.hikari.pool.HikariPool" -> HikariConnections::new;
      case "org.apache.commons.pool2.impl.GenericObjectPool", "org.apache.tomcat.dbcp.pool2.impl.GenericObjectPool" -> GenericObjects::new;
      case "org.apache.tomcat.jdbc.pool.ConnectionPool" -> TomcatJdbcConnections::new;
      case "io.agroal.pool.ConnectionPool" -> AgroalConnections::new;
      case "com.alibaba.druid.pool.DruidDataSource" -> DruidConnections::new;
      case "com.mchange.v2.resourcepool.BasicResourcePool" -> C3p0Connections::new;
      case "io.vertx.sqlclient.impl.pool.SqlConnectionPool" -> VertxConnections::new;
      case "org.postgresql.ds.PGPoolingDataSource" -> DriverPool::new;
      case "org.apache.hc.core5.pool.StrictConnPool", "org.apache.hc.core5.pool.LaxConnPool", "org.apache.http.pool.AbstractConnPool" -> HttpConnections::new;
      default -> null;
    };
  }

  /** @param pool the one of reactor-pool that R2DBC’s has within */
  static ConnectionPool r2dbc(Object pool) throws ReflectiveOperationException {
    return pools.findOrAdd(pool, R2dbcConnections::new);
  }
}
