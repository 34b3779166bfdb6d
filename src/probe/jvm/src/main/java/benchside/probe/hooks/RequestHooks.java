package benchside.probe.hooks;

import benchside.probe.Access;
import benchside.probe.requests.Requests;
import benchside.probe.threads.EventLoops;

/** What HTTP servers call: a thread begins to work for a request, turns to something else, and the request is over; and what event loops call. As {@link Hooks} says. */
public final class RequestHooks {
  private RequestHooks() {}

  /** @param request the server's own object for it, or its connection where that has one request at a time */
  public static void works(Object request) {
    if (!Hooks.isOff()) Requests.work(request);
  }

  /** @param valve of Tomcat */
  public static void valveWorks(Object valve, Object request) {
    works(request);
  }

  /** @param invoker of Jetty, an inner class of the channel */
  public static void invokerWorks(Object invoker) throws ReflectiveOperationException {
    workBy(invoker, "this$0");
  }

  /** @param exchange the task of the JDK's server */
  public static void exchangeWorks(Object exchange) throws ReflectiveOperationException {
    workBy(exchange, "connection");
  }

  private static void workBy(Object task, String field) throws ReflectiveOperationException {
    if (!Hooks.isOff()) Requests.work(Access.field(task, field));
  }

  public static void leaves(Object worker) {
    Requests.leave();
  }

  public static void ends(Object request) {
    if (request != null) Requests.end(request);
  }

  /** An event loop of Netty waits for something to do. */
  public static void loopIdles(Object loop) {
    if (!Hooks.isOff()) EventLoops.ofThisThread().idles();
  }

  public static void loopWorks(Object loop) {
    EventLoops.ofThisThread().works();
  }

  /** @param server of the JDK */
  public static void connectionEnds(Object server, Object connection) {
    ends(connection);
  }
}
