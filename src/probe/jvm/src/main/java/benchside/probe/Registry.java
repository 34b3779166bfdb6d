package benchside.probe;

import java.util.ArrayList;
import java.util.List;

/** The pools of one sort that were found. Finding one again takes a look at each: there are few. */
public final class Registry<R extends Resource> {
  private volatile List<R> found = List.of();

  /** Makes the resource for an object of the app. */
  public interface Maker<R> {
    R make(Object target) throws ReflectiveOperationException;
  }

  public R find(Object target) {
    List<R> all = found;
    for (int i = 0; i < all.size(); i += 1) {
      R one = all.get(i);
      if (one.is(target)) return one;
    }
    return null;
  }

  public R find(String id) {
    for (R one : all()) if (one.id().equals(id)) return one;
    return null;
  }

  public R findOrAdd(Object target, Maker<R> maker) throws ReflectiveOperationException {
    R known = find(target);
    return known == null ? add(target, maker) : known;
  }

  private synchronized R add(Object target, Maker<R> maker) throws ReflectiveOperationException {
    R known = find(target);
    if (known != null) return known;
    List<R> next = new ArrayList<>(all());
    R made = maker.make(target);
    String wantedId = made.id();
    for (int number = 2; next.stream().anyMatch(one -> one.id().equals(made.id())); number += 1) made.isKnownAs(wantedId + "#" + number);
    next.add(made);
    found = List.copyOf(next);
    return made;
  }

  /** Those that the app still has. */
  public synchronized List<R> all() {
    List<R> alive = new ArrayList<>();
    for (R one : found) if (!one.isGone()) alive.add(one);
    if (alive.size() < found.size()) found = List.copyOf(alive);
    return alive;
  }
}
