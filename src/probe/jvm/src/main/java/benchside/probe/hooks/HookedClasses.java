package benchside.probe.hooks;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The classes of pools and of HTTP servers into which calls are put, and where: see {@link HookTransformer}. */
final class HookedClasses {
  private static final String HIKARI_POOL = "com/zaxxer/hikari/pool/HikariPool";
  private static final String HIKARI_BAG = "com/zaxxer/hikari/util/ConcurrentBag";
  private static final String HIKARI_BORROW = "(JLjava/util/concurrent/TimeUnit;)L" + HIKARI_BAG + "$IConcurrentBagEntry;";
  private static final String HIKARI_ENTRY = "com/zaxxer/hikari/pool/PoolEntry";
  private static final String GENERIC_POOL = "org/apache/commons/pool2/impl/GenericObjectPool";
  private static final String GENERIC_POOL_OF_TOMCAT = "org/apache/tomcat/dbcp/pool2/impl/GenericObjectPool";
  private static final String TOMCAT_POOL = "org/apache/tomcat/jdbc/pool/ConnectionPool";
  private static final String TOMCAT_BORROW = "(ILjava/lang/String;Ljava/lang/String;)Lorg/apache/tomcat/jdbc/pool/PooledConnection;";
  private static final String AGROAL_POOL = "io/agroal/pool/ConnectionPool";
  private static final String AGROAL_LOCAL = "handlerFromLocalCache()Lio/agroal/pool/ConnectionHandler;";
  private static final String AGROAL_HANDLER = "(Lio/agroal/pool/ConnectionHandler;)V";
  private static final String DRIVER_POOL = "org/postgresql/ds/PGPoolingDataSource";
  private static final String DRIVER_CONNECTION = "org/postgresql/ds/PGPooledConnection";
  private static final String HTTP_POOL = "org/apache/hc/core5/pool/StrictConnPool";
  private static final String HTTP_LAX_POOL = "org/apache/hc/core5/pool/LaxConnPool";
  private static final String HTTP_POOL_OF_4 = "org/apache/http/pool/AbstractConnPool";
  private static final String HTTP_LEASE =
      "(Ljava/lang/Object;Ljava/lang/Object;Lorg/apache/hc/core5/util/Timeout;Lorg/apache/hc/core5/concurrent/FutureCallback;)Ljava/util/concurrent/Future;";
  private static final String DURATION = "(Ljava/time/Duration;)Ljava/lang/Object;";
  private static final String MILLIS = "(J)Ljava/lang/Object;";

  private static final List<MethodHook> ofGenericPool = Stream.of(
      ofBorrow(DURATION).stream().map(hook -> hook.whereThereIs("borrowObject" + DURATION)),
      // Until 2.10 this is the innermost one; afterwards it calls the other.
      ofBorrow(MILLIS).stream().map(hook -> hook.unlessThereIs("borrowObject" + DURATION)),
      Stream.of(
          MethodHook.entryWithArgument("returnObject", "(Ljava/lang/Object;)V", "givenBack"),
          MethodHook.exit("returnObject", "(Ljava/lang/Object;)V", "objectSettled"),
          MethodHook.exit("returnObject", "(Ljava/lang/Object;)V", "LendingHooks.changed"),
          MethodHook.entryWithArgument("invalidateObject", "(Ljava/lang/Object;)V", "givenBack"),
          MethodHook.exit("invalidateObject", "(Ljava/lang/Object;)V", "LendingHooks.changed"))).flatMap(hooks -> hooks).toList();

  /** In this order, so that the call that waited times a caller that was let in, and also one that returns its connection. */
  private static List<MethodHook> ofBorrow(String descriptor) {
    return List.of(
        MethodHook.gate("borrowObject", descriptor, "LendingHooks.objectBorrow"),
        MethodHook.timed("borrowObject", descriptor, "objectBorrowed", "objectNotBorrowed"),
        MethodHook.gateLate("borrowObject", descriptor, "LendingHooks.objectDeadline", "LendingHooks.objectLent"));
  }

  static final Map<String, List<MethodHook>> hooks = Map.ofEntries(
      Map.entry(HIKARI_POOL, List.of(
          MethodHook.exit("<init>", null, "created"),
          MethodHook.timed("getConnection", "(J)Ljava/sql/Connection;", "hikariBorrowed", null),
          MethodHook.entryWithLong("createTimeoutException", null, "hikariTimedOut"),
          MethodHook.entryWithArgument("recycle", null, "givenBack"))),
      Map.entry(HIKARI_BAG, List.of(
          MethodHook.gate("borrow", HIKARI_BORROW, "LendingHooks.hikariBorrow"),
          MethodHook.gateLate("borrow", HIKARI_BORROW, "LendingHooks.hikariDeadline", "LendingHooks.hikariLent"),
          MethodHook.exit("requite", null, "LendingHooks.changed"),
          MethodHook.exit("remove", null, "LendingHooks.changed"))),
      Map.entry(HIKARI_ENTRY, List.of(MethodHook.entry("close", null, "closed"))),
      Map.entry(GENERIC_POOL, ofGenericPool),
      Map.entry(GENERIC_POOL_OF_TOMCAT, ofGenericPool),
      Map.entry(TOMCAT_POOL, List.of(
          MethodHook.exit("<init>", null, "created"),
          MethodHook.gate("borrowConnection", TOMCAT_BORROW, "LendingHooks.tomcatBorrow"),
          MethodHook.timed("borrowConnection", TOMCAT_BORROW, "TomcatJdbcHooks.borrowed", "TomcatJdbcHooks.notBorrowed"),
          MethodHook.gateLate("borrowConnection", TOMCAT_BORROW, "LendingHooks.tomcatBegan", "LendingHooks.tomcatLent"),
          MethodHook.entryWithArgument("release", null, "TomcatJdbcHooks.released"),
          MethodHook.exit("returnConnection", null, "LendingHooks.changed"),
          MethodHook.guard("returnConnection", null, "TomcatJdbcHooks.givenBack"))),
      Map.entry(AGROAL_POOL, List.of(
          // Until 1.11 a thread’s own connections are looked through first; afterwards both ways end in another method.
          MethodHook.timed("handlerFromLocalCache", null, "AgroalHooks.borrowed", null).whereThereIs(AGROAL_LOCAL),
          MethodHook.timed("handlerFromSharedCache", null, "AgroalHooks.borrowed", "AgroalHooks.notBorrowed").whereThereIs(AGROAL_LOCAL),
          MethodHook.timed("handlerFromSharedCache", null, null, "AgroalHooks.notBorrowed").unlessThereIs(AGROAL_LOCAL),
          MethodHook.entry("handlerFromTransaction", null, "AgroalHooks.asked").unlessThereIs(AGROAL_LOCAL),
          MethodHook.entryWithArgument("afterAcquire", null, "AgroalHooks.got").unlessThereIs(AGROAL_LOCAL),
          MethodHook.entryWithArgument("returnConnection", null, "givenBack").whereThereIs("returnConnection" + AGROAL_HANDLER),
          MethodHook.entryWithArgument("returnConnectionHandler", null, "givenBack").unlessThereIs("returnConnection" + AGROAL_HANDLER))),
      Map.entry("io/agroal/pool/ConnectionHandler", List.of(MethodHook.entry("closeConnection", null, "closed"))),
      Map.entry("com/mchange/v2/resourcepool/BasicResourcePool", List.of(
          MethodHook.exit("<init>", null, "created"),
          MethodHook.timed("checkoutResource", MILLIS, "C3p0Hooks.borrowed", null),
          MethodHook.timed("awaitAvailable", "(J)V", null, "C3p0Hooks.notBorrowed"),
          MethodHook.entryWithArgument("checkinResource", null, "givenBack"))),
      Map.entry("io/r2dbc/pool/ConnectionPool", List.of(MethodHook.exit("<init>", null, "created"))),
      Map.entry("io/vertx/sqlclient/impl/pool/SqlConnectionPool", List.of(MethodHook.exit("<init>", null, "created"))),
      Map.entry("reactor/pool/AbstractPool$Borrower", List.of(
          MethodHook.exit("<init>", null, "R2dbcHooks.asked"),
          MethodHook.entryWithArgument("deliver", null, "R2dbcHooks.delivered"),
          MethodHook.entry("run", null, "R2dbcHooks.gaveUp"),
          MethodHook.entry("cancel", null, "R2dbcHooks.gaveUp"),
          MethodHook.entryWithArgument("fail", null, "R2dbcHooks.refused"))),
      Map.entry("reactor/pool/AbstractPool$AbstractPooledRef", List.of(
          MethodHook.entry("markReleased", null, "R2dbcHooks.givenBack"),
          // It has one of the two, by its age.
          MethodHook.entry("markInvalidate", null, "R2dbcHooks.givenBack").whereThereIs("markInvalidate()Z"),
          MethodHook.entry("markDestroy", null, "R2dbcHooks.givenBack").unlessThereIs("markInvalidate()Z"))),
      Map.entry("io/netty/channel/nio/NioEventLoop", loopThatWaitsBy("select")),
      Map.entry("io/netty/channel/nio/NioIoHandler", waitsBy("select")),
      Map.entry("io/netty/channel/epoll/EpollEventLoop", loopThatWaitsBy("epollWait")),
      Map.entry("io/netty/channel/epoll/EpollIoHandler", waitsBy("epollWait")),
      Map.entry(DRIVER_POOL, List.of(
          MethodHook.entry("getPooledConnection", null, "driverAsked"),
          MethodHook.timed("getPooledConnection", null, "driverBorrowed", "driverNotBorrowed"))),
      // Called when a connection is returned.
      Map.entry(DRIVER_POOL + "$1", List.of(MethodHook.entryWithArgument("connectionClosed", null, "driverGivenBack"))),
      Map.entry(DRIVER_CONNECTION, List.of(MethodHook.entry("getConnection", null, "driverTaken"), MethodHook.entry("close", null, "closed"))),
      Map.entry(HTTP_POOL, List.of(
          MethodHook.exit("<init>", null, "created"),
          MethodHook.entry("lease", HTTP_LEASE, "HttpHooks.asked"),
          MethodHook.entryWithArgument("release", null, "HttpHooks.givenBack"))),
      Map.entry(HTTP_POOL + "$LeaseRequest", List.of(
          MethodHook.exit("<init>", null, "HttpHooks.requested"),
          MethodHook.entryWithArgument("completed", null, "HttpHooks.leased"),
          MethodHook.entry("failed", null, "HttpHooks.expired"))),
      // The future that a blocking caller waits for.
      Map.entry(HTTP_POOL + "$1", List.of(MethodHook.timed("get", null, null, "HttpHooks.notAwaited"))),
      Map.entry(HTTP_LAX_POOL, List.of(MethodHook.exit("<init>", null, "created"))),
      Map.entry(HTTP_POOL_OF_4, List.of(
          MethodHook.exit("<init>", null, "created"),
          MethodHook.timed("getPoolEntryBlocking", null, "HttpHooks.borrowed", "HttpHooks.notBorrowed"),
          MethodHook.entryWithArgument("release", null, "HttpHooks.givenBack"))),
      // Servers: a thread works for a request, turns to something else, and the request is over.
      Map.entry("org/apache/catalina/core/StandardEngineValve", List.of(
          MethodHook.entryWithArgument("invoke", null, "RequestHooks.valveWorks"),
          MethodHook.exit("invoke", null, "RequestHooks.leaves"))),
      Map.entry("org/apache/catalina/connector/Request", List.of(MethodHook.entry("recycle", "()V", "RequestHooks.ends"))),
      Map.entry("org/eclipse/jetty/server/internal/HttpChannelState$HandlerInvoker", List.of(
          MethodHook.entry("run", "()V", "RequestHooks.invokerWorks"),
          MethodHook.exit("run", "()V", "RequestHooks.leaves"))),
      Map.entry("org/eclipse/jetty/server/internal/HttpChannelState", List.of(
          MethodHook.entry("completeStream", null, "RequestHooks.ends"),
          MethodHook.entry("recycle", "()V", "RequestHooks.ends"))),
      // Until Jetty 11; since then it is an interface.
      Map.entry("org/eclipse/jetty/server/HttpChannel", Stream.of(
          MethodHook.entry("handle", "()Z", "RequestHooks.works"),
          MethodHook.exit("handle", "()Z", "RequestHooks.leaves"),
          MethodHook.entry("onCompleted", "()V", "RequestHooks.ends"),
          MethodHook.entry("recycle", "()V", "RequestHooks.ends")).map(hook -> hook.whereThereIs("onCompleted()V")).toList()),
      Map.entry("io/undertow/server/Connectors", List.of(MethodHook.staticEntry("executeRootHandler", null, "RequestHooks.works"))),
      Map.entry("io/undertow/server/HttpServerExchange", List.of(MethodHook.entry("invokeExchangeCompleteListeners", "()V", "RequestHooks.ends"))),
      Map.entry("sun/net/httpserver/ServerImpl$Exchange", List.of(
          MethodHook.entry("run", "()V", "RequestHooks.exchangeWorks"),
          MethodHook.exit("run", "()V", "RequestHooks.leaves"))),
      Map.entry("sun/net/httpserver/ServerImpl", List.of(MethodHook.entryWithArgument("responseCompleted", null, "RequestHooks.connectionEnds"))),
      Map.entry("sun/net/httpserver/HttpConnection", List.of(MethodHook.entry("close", "()V", "RequestHooks.ends"))));

  private static List<MethodHook> waitsBy(String method) {
    return List.of(MethodHook.entry(method, null, "NettyHooks.idles"), MethodHook.exit(method, null, "NettyHooks.works"));
  }

  /** As of 4.2 such a class has no loop of its own, and leaves waiting to a handler. */
  private static List<MethodHook> loopThatWaitsBy(String method) {
    return waitsBy(method).stream().map(hook -> hook.whereThereIs("run()V")).toList();
  }

  private HookedClasses() {}
}
