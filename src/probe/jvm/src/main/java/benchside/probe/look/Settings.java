package benchside.probe.look;

import benchside.probe.wire.JsonWriter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The variables that an app reads, and the properties that its framework looks for: these it takes from the environment by rule, under a name of capitals and
 * underscores.
 */
public final class Settings {
  private static final int MOST = 450;
  private static final int MOST_OWN = 150;
  private static final Pattern variable = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,120}");
  private static final Pattern property = Pattern.compile("[A-Za-z][\\w\"-]*(?:\\.[\\w\"\\[\\]-]+)+");
  /** Of the thousands that a framework looks for these may hold a port, a size or an address; the names only say what is kept. */
  private static final Pattern kept = Pattern.compile("PORT$|POOL|MAX|SIZE|CONNECTION|URL$|URI$|USER(?:NAME)?$|PASSWORD$");
  /** A system property by the way such are written, of those that may hold a port or a size. */
  private static final Pattern systemProperty = Pattern.compile("[a-z][\\w-]*(?:\\.[\\w-]+)+");
  private static final Pattern portOrSize = Pattern.compile("PORT|LISTEN|POOL|MAX|SIZE|CONN|LIMIT|WORKER");
  private static final int MOST_NAMED = 100;
  private static final Set<String> named = new LinkedHashSet<>();
  private static final StackWalker walker = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
  private static final Map<String, Known> known = new LinkedHashMap<>();
  private static final ThreadLocal<Boolean> looking = new ThreadLocal<>();

  /** @param place file and line of the app’s own that reads it, or null; @param holds which form of address its value is, or null */
  private record Known(String place, String property, String holds) {}

  private Settings() {}

  public static void read(Object name) {
    if (!(name instanceof String text) || !variable.matcher(text).matches() || looking.get() != null) return;
    looking.set(true);
    try {
      synchronized (known) {
        if (known.containsKey(text) || known.size() >= MOST + MOST_OWN) return;
      }
      String place = ownPlace();
      // Shells and libraries read many that a person would not set for a service.
      if (place == null && known.size() >= MOST) return;
      synchronized (known) {
        known.putIfAbsent(text, new Known(place, null, null));
      }
    } finally {
      looking.remove();
    }
  }

  /** @param value what is in force; null where nothing says it, or it is not known */
  public static void asked(String name, String value) {
    if (name == null || name.length() > 120 || !property.matcher(name).matches()) return;
    String holds = formOf(value);
    String upper = name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    if (holds == null && !kept.matcher(upper).find()) return;
    synchronized (known) {
      Known before = known.get(upper);
      if (before != null && (before.holds != null || holds == null)) return;
      if (before == null && known.size() >= MOST) return;
      known.put(upper, new Known(before == null ? null : before.place, name, holds));
    }
  }

  /** @param text that a class of the app’s own holds */
  static void named(String text) {
    if (text.length() > 120 || !systemProperty.matcher(text).matches()) return;
    String last = text.substring(text.lastIndexOf('.') + 1).toUpperCase(Locale.ROOT);
    if (!portOrSize.matcher(last).find()) return;
    synchronized (named) {
      if (named.size() < MOST_NAMED) named.add(text);
    }
  }

  private static String formOf(String value) {
    if (value == null || value.length() > 1_000) return null;
    if (value.startsWith("jdbc:postgresql:")) return "jdbcUrl";
    if (value.startsWith("r2dbc:") && value.contains("postgres")) return "r2dbcUrl";
    return value.matches("(?:vertx-reactive:)?postgres(?:ql)?://.*") ? "url" : null;
  }

  /** Where the app’s own code reads it; null where a library does. */
  private static String ownPlace() {
    Optional<StackWalker.StackFrame> first = walker.walk(frames -> frames.filter(Settings::isNoPartOfJava).findFirst());
    return first.filter(frame -> OwnClasses.isOwn(frame.getDeclaringClass())).map(frame -> frame.getFileName() + ":" + frame.getLineNumber()).orElse(null);
  }

  private static boolean isNoPartOfJava(StackWalker.StackFrame frame) {
    return frame.getDeclaringClass().getClassLoader() != null;
  }

  static void write(JsonWriter json) {
    json.openArray("variables");
    synchronized (known) {
      known.forEach((name, one) -> json.openObject(null).text("name", name).text("place", one.place).text("property", one.property).text("holds", one.holds).closeObject());
    }
    json.closeArray().openArray("properties");
    synchronized (named) {
      for (String one : named) json.element(one);
    }
    json.closeArray();
  }
}
