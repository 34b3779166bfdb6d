package benchside.probe.hooks;

import static benchside.probe.hooks.MethodHook.Place.*;

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
          ENTRY_WITH_ARGUMENT.of("returnObject", "(Ljava/lang/Object;)V", "givenBack"),
          EXIT.of("returnObject", "(Ljava/lang/Object;)V", "objectSettled"),
          EXIT.of("returnObject", "(Ljava/lang/Object;)V", "LendingHooks.changed"),
          ENTRY_WITH_ARGUMENT.of("invalidateObject", "(Ljava/lang/Object;)V", "givenBack"),
          EXIT.of("invalidateObject", "(Ljava/lang/Object;)V", "LendingHooks.changed"))).flatMap(hooks -> hooks).toList();

  /** In this order, so that the call that waited times a caller that was let in, and also one that returns its connection. */
  private static List<MethodHook> ofBorrow(String descriptor) {
    return List.of(
        GATE.of("borrowObject", descriptor, "LendingHooks.objectBorrow"),
        TIMED.of("borrowObject", descriptor, "gatedBorrowed", "notBorrowed"),
        GATE_LATE.of("borrowObject", descriptor, "LendingHooks.objectLent", "LendingHooks.objectDeadline"));
  }

  static final Map<String, List<MethodHook>> hooks = Map.ofEntries(
      Map.entry(HIKARI_POOL, List.of(
          EXIT.of("<init>", null, "created"),
          TIMED.of("getConnection", "(J)Ljava/sql/Connection;", "hikariBorrowed"),
          ENTRY_WITH_LONG.of("createTimeoutException", null, "hikariTimedOut"),
          ENTRY_WITH_ARGUMENT.of("recycle", null, "givenBack"))),
      Map.entry(HIKARI_BAG, List.of(
          GATE.of("borrow", HIKARI_BORROW, "LendingHooks.hikariBorrow"),
          GATE_LATE.of("borrow", HIKARI_BORROW, "LendingHooks.hikariLent", "LendingHooks.hikariDeadline"),
          EXIT.of("requite", null, "LendingHooks.changed"),
          EXIT.of("remove", null, "LendingHooks.changed"))),
      Map.entry(HIKARI_ENTRY, List.of(ENTRY.of("close", null, "closed"))),
      Map.entry(GENERIC_POOL, ofGenericPool),
      Map.entry(GENERIC_POOL_OF_TOMCAT, ofGenericPool),
      Map.entry(TOMCAT_POOL, List.of(
          EXIT.of("<init>", null, "created"),
          GATE.of("borrowConnection", TOMCAT_BORROW, "LendingHooks.tomcatBorrow"),
          TIMED.of("borrowConnection", TOMCAT_BORROW, "gatedBorrowed", "notBorrowed"),
          GATE_LATE.of("borrowConnection", TOMCAT_BORROW, "LendingHooks.tomcatLent", "LendingHooks.tomcatBegan"),
          ENTRY_WITH_ARGUMENT.of("release", null, "tomcatReleased"),
          EXIT.of("returnConnection", null, "LendingHooks.changed"),
          GUARD.of("returnConnection", null, "tomcatGivenBack"))),
      Map.entry(AGROAL_POOL, List.of(
          // Until 1.11 a thread’s own connections are looked through first; afterwards both ways end in another method.
          TIMED.of("handlerFromLocalCache", null, "agroalBorrowed").whereThereIs(AGROAL_LOCAL),
          TIMED.of("handlerFromSharedCache", null, "agroalBorrowed", "notBorrowed").whereThereIs(AGROAL_LOCAL),
          TIMED.of("handlerFromSharedCache", null, null, "notBorrowed").unlessThereIs(AGROAL_LOCAL),
          ENTRY.of("handlerFromTransaction", null, "agroalAsked").unlessThereIs(AGROAL_LOCAL),
          ENTRY_WITH_ARGUMENT.of("afterAcquire", null, "agroalGot").unlessThereIs(AGROAL_LOCAL),
          ENTRY_WITH_ARGUMENT.of("returnConnection", null, "givenBack").whereThereIs("returnConnection" + AGROAL_HANDLER),
          ENTRY_WITH_ARGUMENT.of("returnConnectionHandler", null, "givenBack").unlessThereIs("returnConnection" + AGROAL_HANDLER))),
      Map.entry("io/agroal/pool/ConnectionHandler", List.of(ENTRY.of("closeConnection", null, "closed"))),
      Map.entry("com/mchange/v2/resourcepool/BasicResourcePool", List.of(
          EXIT.of("<init>", null, "created"),
          TIMED.of("checkoutResource", MILLIS, "borrowed"),
          TIMED.of("awaitAvailable", "(J)V", null, "notBorrowed"),
          ENTRY_WITH_ARGUMENT.of("checkinResource", null, "givenBack"))),
      Map.entry("com/alibaba/druid/pool/DruidDataSource", List.of(
          EXIT.of("init", "()V", "created"),
          TIMED.of("getConnectionDirect", null, "druidBorrowed", "notBorrowed"),
          GUARD.of("recycle", null, "druidGivenBack"))),
      Map.entry("io/r2dbc/pool/ConnectionPool", List.of(EXIT.of("<init>", null, "created"))),
      Map.entry("io/vertx/sqlclient/impl/pool/SqlConnectionPool", List.of(EXIT.of("<init>", null, "created"))),
      Map.entry("reactor/pool/AbstractPool$Borrower", List.of(
          EXIT.of("<init>", null, "R2dbcHooks.asked"),
          ENTRY_WITH_ARGUMENT.of("deliver", null, "R2dbcHooks.delivered"),
          ENTRY.of("run", null, "R2dbcHooks.gaveUp"),
          ENTRY.of("cancel", null, "R2dbcHooks.gaveUp"),
          ENTRY_WITH_ARGUMENT.of("fail", null, "R2dbcHooks.refused"))),
      Map.entry("reactor/pool/AbstractPool$AbstractPooledRef", List.of(
          ENTRY.of("markReleased", null, "R2dbcHooks.givenBack"),
          // It has one of the two, by its age.
          ENTRY.of("markInvalidate", null, "R2dbcHooks.givenBack").whereThereIs("markInvalidate()Z"),
          ENTRY.of("markDestroy", null, "R2dbcHooks.givenBack").unlessThereIs("markInvalidate()Z"))),
      Map.entry("io/netty/channel/nio/NioEventLoop", loopThatWaitsBy("select")),
      Map.entry("io/netty/channel/nio/NioIoHandler", waitsBy("select")),
      Map.entry("io/netty/channel/epoll/EpollEventLoop", and(loopThatWaitsBy("epollWait"), waitsWithoutTimer())),
      Map.entry("io/netty/channel/epoll/EpollIoHandler", and(waitsBy("epollWait"), waitsWithoutTimer())),
      Map.entry(DRIVER_POOL, List.of(
          ENTRY.of("getPooledConnection", null, "driverAsked"),
          TIMED.of("getPooledConnection", null, "driverBorrowed", "driverNotBorrowed"))),
      // Called when a connection is returned.
      Map.entry(DRIVER_POOL + "$1", List.of(ENTRY_WITH_ARGUMENT.of("connectionClosed", null, "driverGivenBack"))),
      Map.entry(DRIVER_CONNECTION, List.of(ENTRY.of("getConnection", null, "driverTaken"), ENTRY.of("close", null, "closed"))),
      Map.entry(HTTP_POOL, List.of(
          EXIT.of("<init>", null, "created"),
          ENTRY.of("lease", HTTP_LEASE, "HttpHooks.asked"),
          ENTRY_WITH_ARGUMENT.of("release", null, "HttpHooks.givenBack"))),
      Map.entry(HTTP_POOL + "$LeaseRequest", List.of(
          EXIT.of("<init>", null, "HttpHooks.requested"),
          ENTRY_WITH_ARGUMENT.of("completed", null, "HttpHooks.leased"),
          ENTRY.of("failed", null, "HttpHooks.expired"))),
      // The future that a blocking caller waits for.
      Map.entry(HTTP_POOL + "$1", List.of(TIMED.of("get", null, null, "HttpHooks.notAwaited"))),
      Map.entry(HTTP_LAX_POOL, List.of(EXIT.of("<init>", null, "created"))),
      Map.entry(HTTP_POOL_OF_4, List.of(
          EXIT.of("<init>", null, "created"),
          TIMED.of("getPoolEntryBlocking", null, "borrowed", "notBorrowed"),
          ENTRY_WITH_ARGUMENT.of("release", null, "HttpHooks.givenBack"))),
      // Servers: a thread works for a request, turns to something else, and the request is over.
      Map.entry("org/apache/catalina/core/StandardEngineValve", List.of(
          ENTRY_WITH_ARGUMENT.of("invoke", null, "RequestHooks.valveWorks"),
          EXIT.of("invoke", null, "RequestHooks.leaves"))),
      Map.entry("org/apache/catalina/connector/Request", List.of(ENTRY.of("recycle", "()V", "RequestHooks.ends"))),
      Map.entry("org/eclipse/jetty/server/internal/HttpChannelState$HandlerInvoker", List.of(
          ENTRY.of("run", "()V", "RequestHooks.invokerWorks"),
          EXIT.of("run", "()V", "RequestHooks.leaves"))),
      Map.entry("org/eclipse/jetty/server/internal/HttpChannelState", List.of(
          ENTRY.of("completeStream", null, "RequestHooks.ends"),
          ENTRY.of("recycle", "()V", "RequestHooks.ends"))),
      // Until Jetty 11; since then it is an interface.
      Map.entry("org/eclipse/jetty/server/HttpChannel", Stream.of(
          ENTRY.of("handle", "()Z", "RequestHooks.works"),
          EXIT.of("handle", "()Z", "RequestHooks.leaves"),
          ENTRY.of("onCompleted", "()V", "RequestHooks.ends"),
          ENTRY.of("recycle", "()V", "RequestHooks.ends")).map(hook -> hook.whereThereIs("onCompleted()V")).toList()),
      Map.entry("io/undertow/server/Connectors", List.of(STATIC_ENTRY.of("executeRootHandler", null, "RequestHooks.works"))),
      Map.entry("io/undertow/server/HttpServerExchange", List.of(ENTRY.of("invokeExchangeCompleteListeners", "()V", "RequestHooks.ends"))),
      Map.entry("sun/net/httpserver/ServerImpl$Exchange", List.of(
          ENTRY.of("run", "()V", "RequestHooks.exchangeWorks"),
          EXIT.of("run", "()V", "RequestHooks.leaves"))),
      Map.entry("sun/net/httpserver/ServerImpl", List.of(ENTRY_WITH_ARGUMENT.of("responseCompleted", null, "RequestHooks.connectionEnds"))),
      Map.entry("sun/net/httpserver/HttpConnection", List.of(ENTRY.of("close", "()V", "RequestHooks.ends"))));

  private static List<MethodHook> waitsBy(String method) {
    return List.of(ENTRY.of(method, null, "RequestHooks.loopIdles"), EXIT.of(method, null, "RequestHooks.loopWorks"));
  }

  /** As of 4.2 such a class has no loop of its own, and leaves waiting to a handler. */
  private static List<MethodHook> loopThatWaitsBy(String method) {
    return waitsBy(method).stream().map(hook -> hook.whereThereIs("run()V")).toList();
  }

  /** How a loop of epoll waits as long as no timer of its own has changed: nearly always. */
  private static List<MethodHook> waitsWithoutTimer() {
    return List.of(
        ENTRY.of("epollWaitNoTimerChange", "()I", "RequestHooks.loopIdles").whereThereIs("epollWaitNoTimerChange()I"),
        EXIT.of("epollWaitNoTimerChange", "()I", "RequestHooks.loopWorks").whereThereIs("epollWaitNoTimerChange()I"));
  }

  private static List<MethodHook> and(List<MethodHook> some, List<MethodHook> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private HookedClasses() {}
}
