package benchside.probe.pools;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The places that borrow connections. Reading the stack costs 7 to 25 µs, so that only some of the calls are examined: the first ones, and then at most one in each
 * 10 ms, which is less than 0.3 % of a core whatever the load is; ten times as many for a while after a connection was lost.
 */
final class Places {
  private static final int FIRST = 64;
  private static final long EVERY_NS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long SUSPICIOUS_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SUSPICIOUS_FOR_NS = TimeUnit.SECONDS.toNanos(10);
  private static final int MOST_FRAMES = 200;
  /** An app often has a method of its own before its pool: the callers of that method distinguish the places. */
  private static final int MOST_OWN = 3;
  private static final StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
  /** Several threads may write them at once: one look more or less is no matter. */
  private static int looks;
  private static long lookedNs;
  private static volatile long suspiciousUntilNs = System.nanoTime();

  private enum Kind { RUNTIME, POOL, LIBRARY, OWN }

  private static final Pattern runtime = Pattern.compile("(?:java|javax|jdk|sun|kotlin|kotlinx|scala|groovy|com\\.sun|benchside\\.probe)\\..*");
  private static final Pattern pool =
      Pattern.compile("(?:com\\.zaxxer\\.hikari|org\\.apache\\.(?:commons\\.(?:dbcp2|pool2)|tomcat\\.(?:jdbc|dbcp))|io\\.(?:agroal|r2dbc)|com\\.mchange|reactor|org\\.postgresql)\\..*");
  /** As in a call tree. Generated code is never the app's own, whatever its package. */
  private static final Pattern library = Pattern.compile(
      "(?:org\\.(?:springframework|apache|hibernate|eclipse|slf4j|jboss|glassfish|aspectj|jooq|mybatis|jdbi)|com\\.(?:fasterxml|google|mysql)"
          + "|io\\.(?:netty|micrometer|vertx|undertow|projectreactor|quarkus|micronaut|helidon)|ch\\.qos|jakarta|okhttp3|net\\.bytebuddy)\\..*|.*\\$(?:\\$|Proxy).*");

  private static final ClassValue<Kind> kinds = new ClassValue<>() {
    @Override
    protected Kind computeValue(Class<?> type) {
      String name = type.getName();
      if (runtime.matcher(name).matches()) return Kind.RUNTIME;
      if (pool.matcher(name).matches()) return Kind.POOL;
      return library.matcher(name).matches() ? Kind.LIBRARY : Kind.OWN;
    }
  };

  private Places() {}

  /** Some lent connections are lost: more may follow. */
  static void suspect(long nowNs) {
    suspiciousUntilNs = nowNs + SUSPICIOUS_FOR_NS;
  }

  /**
   * The place where this thread borrows a connection, if this call is examined: the app's own code that is nearest, with its callers, else that of a library;
   * or none.
   */
  static List<StackFrame> look(long nowNs) {
    if (looks >= FIRST && nowNs - lookedNs < (nowNs - suspiciousUntilNs < 0 ? SUSPICIOUS_EVERY_NS : EVERY_NS)) return List.of();
    looks = Math.min(FIRST, looks + 1);
    lookedNs = nowNs;
    return walker.walk(Places::nearest);
  }

  private static List<StackFrame> nearest(Stream<StackFrame> stack) {
    List<StackFrame> own = new ArrayList<>(MOST_OWN);
    StackFrame ofLibrary = null;
    Iterator<StackFrame> frames = stack.limit(MOST_FRAMES).iterator();
    while (frames.hasNext() && own.size() < MOST_OWN) {
      StackFrame frame = frames.next();
      Kind kind = kinds.get(frame.getDeclaringClass());
      if (kind == Kind.OWN) own.add(frame);
      else if (!own.isEmpty()) break;
      else if (kind == Kind.LIBRARY && ofLibrary == null) ofLibrary = frame;
    }
    return own.isEmpty() && ofLibrary != null ? List.of(ofLibrary) : own;
  }

  /** Such as {@code bulletin.Orders.read (Orders.java:42)}, with its callers behind it. */
  static String text(List<StackFrame> place) {
    return place.stream().map(Places::text).collect(Collectors.joining(", called by "));
  }

  private static String text(StackFrame frame) {
    String file = frame.getFileName() == null ? "unknown source" : frame.getFileName() + (frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "");
    return frame.getClassName() + "." + frame.getMethodName() + " (" + file + ")";
  }
}
