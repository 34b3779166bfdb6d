package benchside.probe.pools;

import benchside.probe.Access;

/** The pool of Vert.x’s SQL clients, 4 and 5, of Quarkus’s reactive ones, too: its size is one of its own pool’s below it. */
public final class VertxConnections extends ConnectionPool {
  VertxConnections(Object pool) {
    super("vertx-sql", "vertx-sql", "Vert.x", pool);
  }

  @Override
  protected boolean isClosed(Object pool) throws ReflectiveOperationException {
    return Boolean.TRUE.equals(Access.field(Access.field(pool, "pool"), "closed"));
  }

  @Override
  protected String fixedBecause() {
    return "The pool of Vert.x takes its size when it is made: nothing in it changes that afterwards. How long callers wait for it is not seen.";
  }

  @Override
  protected Reading read() throws ReflectiveOperationException {
    Object owner = target();
    Object pool = Access.field(owner, "pool");
    int total = Access.number(pool, "size");
    int busy = 0;
    if (Access.field(pool, "slots") instanceof Object[] slots)
      for (Object slot : slots) if (slot != null && Access.numberField(slot, "usage") > 0) busy += 1;
    return new Reading(Access.numberField(owner, "maxSize"), null, total, Math.max(0, total - busy), busy, Access.number(pool, "waiters"));
  }
}
