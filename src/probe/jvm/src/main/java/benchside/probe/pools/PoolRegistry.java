package benchside.probe.pools;

import benchside.probe.Registry;
import java.util.List;

/** The pools of connections that were found. */
public final class PoolRegistry {
  public static final Registry<ConnectionPool> pools = new Registry<>();

  private PoolRegistry() {}

  public static List<ConnectionPool> all() {
    return pools.all();
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
