package bulletin.limits;

import bulletin.http.Answer;
import bulletin.http.Query;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import org.eclipse.jetty.server.Request;

/** Requests that are limited by something inside the process. */
public final class LocalWorkloads {
  static final int MAX_MS = 1000;
  private static final int MAX_KB = 65_536;
  private static final int MAX_KEPT = 10_000;

  private final Allocation allocation = new Allocation();
  private final SharedLock lock;

  public LocalWorkloads(SharedLock lock) {
    this.lock = lock;
  }

  /** Answers GET /allocate: the limit is the garbage collector, or the heap. */
  public Reply allocate(Request request, String segment) throws RequestException {
    int kb = Query.numberIn(request, "kb", 1, MAX_KB, 256);
    int keep = Query.numberIn(request, "keep", 0, MAX_KEPT, 0);
    int kept = allocation.allocateAndKeep(kb, keep);
    return Answer.json(200, "{\"allocatedKb\":" + kb + ",\"kept\":" + kept + "}");
  }

  /** Answers GET /locked: the limit is a lock; of one's own, it is a virtual thread's carrier before JDK 24. */
  public Reply locked(Request request, String segment) throws RequestException {
    int ms = Query.numberIn(request, "ms", 0, MAX_MS, 5);
    boolean own = Query.textIn(request, "lock", "shared").equals("own");
    (own ? new SharedLock() : lock).waitForLock(ms);
    return Answer.json(200, "{\"waitedMs\":" + ms + "}");
  }

  /** Answers GET /compute: the limit is the CPU. */
  public Reply compute(Request request, String segment) throws RequestException {
    int ms = Query.numberIn(request, "ms", 0, MAX_MS, 5);
    return Answer.json(200, "{\"ms\":" + ms + ",\"hash\":" + Computation.computeHash(ms) + "}");
  }
}
