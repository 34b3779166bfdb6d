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
    ConnectionPool found = pools.find(pool);
    if (found == null) {
      String name = HikariConnections.nameOf(pool);
      found = pools.findOrAdd(pool, "hikari:" + name, id -> new HikariConnections(id, name, pool));
    }
    return (HikariConnections) found;
  }

  public static HttpConnections http(Object pool) throws ReflectiveOperationException {
    ConnectionPool found = pools.find(pool);
    if (found == null) found = pools.findOrAdd(pool, "http-client", id -> new HttpConnections(id, pool));
    return (HttpConnections) found;
  }

  public static DriverPool driver(Object pool) throws ReflectiveOperationException {
    ConnectionPool found = pools.find(pool);
    if (found == null) {
      String name = DriverPool.nameOf(pool);
      found = pools.findOrAdd(pool, "pgjdbc:" + name, id -> new DriverPool(id, name, pool));
    }
    return (DriverPool) found;
  }

  public static GenericObjects generic(Object pool) throws ReflectiveOperationException {
    ConnectionPool found = pools.find(pool);
    if (found == null) {
      String kind = GenericObjects.kindOf(pool);
      String name = GenericObjects.nameOf(pool);
      found = pools.findOrAdd(pool, kind + ":" + name, id -> new GenericObjects(id, kind, name, pool));
    }
    return (GenericObjects) found;
  }

  public static TomcatJdbcConnections tomcatJdbc(Object pool) throws ReflectiveOperationException {
    ConnectionPool found = pools.find(pool);
    if (found == null) {
      String name = TomcatJdbcConnections.nameOf(pool);
      found = pools.findOrAdd(pool, "tomcat-jdbc:" + name, id -> new TomcatJdbcConnections(id, name, pool));
    }
    return (TomcatJdbcConnections) found;
  }

  public static AgroalConnections agroal(Object pool) throws ReflectiveOperationException {
    ConnectionPool found = pools.find(pool);
    if (found == null) found = pools.findOrAdd(pool, "agroal", id -> new AgroalConnections(id, pool));
    return (AgroalConnections) found;
  }

  public static C3p0Connections c3p0(Object pool) throws ReflectiveOperationException {
    ConnectionPool found = pools.find(pool);
    if (found == null) found = pools.findOrAdd(pool, "c3p0", id -> new C3p0Connections(id, pool));
    return (C3p0Connections) found;
  }

  public static VertxConnections vertx(Object pool) throws ReflectiveOperationException {
    ConnectionPool found = pools.find(pool);
    if (found == null) found = pools.findOrAdd(pool, "vertx-sql", id -> new VertxConnections(id, pool));
    return (VertxConnections) found;
  }

  /** @param pool the one of reactor-pool that R2DBC’s has within */
  public static R2dbcConnections r2dbc(Object pool) throws ReflectiveOperationException {
    ConnectionPool found = pools.find(pool);
    if (found == null) found = pools.findOrAdd(pool, "r2dbc", id -> new R2dbcConnections(id, pool));
    return (R2dbcConnections) found;
  }
}
