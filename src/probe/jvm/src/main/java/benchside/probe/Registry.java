package benchside.probe;

import java.util.ArrayList;
import java.util.List;

/** The pools of one sort that were found. Finding one again takes a look at each: there are few. */
public final class Registry<R extends Resource> {
  private volatile List<R> found = List.of();

  /** Makes the resource for an object of the app, under a unique id. */
  public interface Maker<R> {
    R make(String id) throws ReflectiveOperationException;
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

  /** @param wantedId gets a number behind it when another one has it already */
  public synchronized R findOrAdd(Object target, String wantedId, Maker<R> maker) throws ReflectiveOperationException {
    R known = find(target);
    if (known != null) return known;
    List<R> next = new ArrayList<>(all());
    String id = wantedId;
    for (int number = 2; isTaken(next, id); number += 1) id = wantedId + "#" + number;
    R made = maker.make(id);
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

  private static boolean isTaken(List<? extends Resource> all, String id) {
    for (Resource one : all) if (one.id().equals(id)) return true;
    return false;
  }
}
