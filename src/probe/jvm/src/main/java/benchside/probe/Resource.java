package benchside.probe;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool of the app, of connections or of threads, seen from outside. It does not keep the app's object alive. */
public abstract class Resource {
  private String id;
  private final String kind;
  private final String name;
  private final WeakReference<Object> target;
  private final AtomicInteger claims = new AtomicInteger();

  /** @param id gets a number behind it when another one has it already */
  protected Resource(String id, String kind, String name, Object target) {
    this.id = id;
    this.kind = kind;
    this.name = name;
    this.target = new WeakReference<>(target);
  }

  public final String id() {
    return id;
  }

  /** Before anybody else knows it. */
  final void isKnownAs(String unique) {
    id = unique;
  }

  protected final String kind() {
    return kind;
  }

  protected String name() {
    return name;
  }

  final boolean is(Object other) {
    return target.refersTo(other);
  }

  /** @throws IllegalStateException when the app has dropped it */
  protected final Object target() {
    Object found = target.get();
    if (found == null) throw new IllegalStateException("The app has dropped it.");
    return found;
  }

  /** Whether the app has closed or dropped it. */
  final boolean isGone() {
    Object found = target.get();
    if (found == null) return true;
    try {
      return isClosed(found);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }

  protected abstract boolean isClosed(Object target) throws ReflectiveOperationException;

  /** Why its size cannot be changed, or null when it can. */
  protected String fixedBecause() {
    return null;
  }

  /** What it says its size is. */
  public abstract int max() throws ReflectiveOperationException;

  /** How many connections are open, or how many threads can work. */
  public abstract int effective() throws ReflectiveOperationException;

  /** Sets the size, where there is no {@link #fixedBecause}. @throws IllegalArgumentException with a sentence when the pool refuses it */
  protected void begin(int max) throws ReflectiveOperationException {
    throw new IllegalArgumentException(fixedBecause());
  }

  /** Brings what exists nearer to the size, and says whether it has been reached. Called again until then. */
  protected boolean step(int max) throws ReflectiveOperationException {
    return true;
  }

  /** Called once after the last step, whatever has come of it. */
  protected void end(int max) throws ReflectiveOperationException {}

  /** What is missing, as a sentence, when the time is over. */
  protected abstract String missing(int max) throws ReflectiveOperationException;

  /** The last claim may change it: an older change gives up. */
  final int claim() {
    return claims.incrementAndGet();
  }

  final boolean isClaimedBy(int claim) {
    return claims.get() == claim;
  }
}
