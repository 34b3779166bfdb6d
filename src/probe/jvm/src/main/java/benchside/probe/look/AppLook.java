package benchside.probe.look;

import benchside.probe.wire.JsonWriter;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * For an app that is started once to be introspected, and not measured: the routes of its framework. Spring's mappings and servlets are recorded when they
 * are registered, resources of JAX-RS when their class is loaded. What only looks like a path in the app’s own classes is reported as a guess. The variables
 * and properties that it reads are reported, too.
 */
public final class AppLook {
  private static final boolean on = "1".equals(System.getenv("BENCHSIDE_PROBE_LOOK"));
  private static final int MOST = 500;
  /** What RequestMappingInfo says of itself: {@code {GET [/orders/{id}], produces [...]}}. */
  private static final Pattern mapping = Pattern.compile("^\\{(?:\\[?([A-Z]+)(?:, [A-Z]+)*\\]?)? \\[(.*?)\\](?:, [a-z]+ .*)?\\}$");
  private static final Pattern substitution = Pattern.compile("\\$\\{\\??([A-Za-z_]\\w*)\\}");
  private static final Pattern resourceServlet = Pattern.compile("(?:ServletContainer|HttpServletDispatcher|HttpServlet30Dispatcher|CXFNonSpringJaxrsServlet)$");
  private static final Set<Route> routes = new LinkedHashSet<>();
  private static final Set<Route> resources = new LinkedHashSet<>();
  private static final Set<Route> mappings = new LinkedHashSet<>();
  private static String applicationPath = "";
  /** Where the servlet of JAX-RS is, whatever the annotation of the application says; null where none is known. */
  private static String resourcesPath;
  /** The mount point of the servlet that Spring’s mappings belong to. */
  private static String dispatcherPath = "";

  /** @param own whether the app’s own code answers it; null where that is not known */
  private record Route(String method, String path, String handler, Boolean own) {}

  private AppLook() {}

  public static boolean isOn() {
    return on;
  }

  /** @param name with slashes */
  public static void loaded(String name, ProtectionDomain domain, byte[] bytes) {
    try {
      ResourceClasses.look(name, bytes);
      if (OwnClasses.isOwn(name.replace('/', '.'), domain)) PathMentions.look(bytes);
    } catch (Throwable thrown) {
      // A class that cannot be read says nothing.
    }
  }

  /** @param text <code>${NAME}</code> or <code>${?NAME}</code> */
  public static void variableWritten(String text) {
    Matcher found = substitution.matcher(text);
    if (found.matches()) Settings.read(found.group(1));
  }

  /**
   * @param info of Spring MVC or WebFlux
   * @param type of the handler, or null
   */
  public static void mapped(Object info, Class<?> type, Method handler) {
    Matcher found = mapping.matcher(String.valueOf(info));
    if (!found.matches()) return;
    Boolean own = OwnClasses.isOwn(handler.getDeclaringClass()) || (type != null && OwnClasses.isOwn(type)) ? Boolean.TRUE : type == null ? null : Boolean.FALSE;
    String method = found.group(1) == null ? "GET" : found.group(1);
    for (String path : found.group(2).split(" \\|\\| ")) if (!path.equals("/error") && !path.isEmpty()) add(mappings, new Route(method, path, null, own));
  }

  static void resource(String method, String path, String handler) {
    add(resources, new Route(method, path, handler, null));
  }

  static synchronized void applicationPath(String path) {
    applicationPath = path;
  }

  /**
   * @param above where the web application lies: empty, or a path with a slash before it
   * @param type the name of its class, or null
   */
  public static synchronized void servlet(String above, String path, Object type) {
    String plain = path.endsWith("/*") ? path.substring(0, path.length() - 2) : path;
    String named = type == null ? "" : type.toString();
    if (path.equals("/")) dispatcherPath = above;
    if (resourceServlet.matcher(named).find()) resourcesPath = above + plain;
    else if (plain.length() > 1 && plain.startsWith("/") && !plain.contains("*")) add(routes, new Route("GET", above + plain, named.isEmpty() ? null : simple(named), null));
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  private static synchronized void add(Set<Route> to, Route route) {
    if (to.size() < MOST) to.add(route);
  }

  public static void write(JsonWriter json) {
    List<Route> all;
    synchronized (AppLook.class) {
      all = new ArrayList<>(routes);
      for (Route one : mappings) all.add(new Route(one.method(), dispatcherPath + one.path(), one.handler(), one.own()));
      String above = resourcesPath == null ? applicationPath : resourcesPath;
      for (Route one : resources) all.add(new Route(one.method(), "/" + above + "/" + one.path(), one.handler(), null));
    }
    json.openObject("look").openArray("listens").closeArray().openArray("routes");
    for (Route one : all) {
      json.openObject(null).text("method", one.method()).text("path", one.path()).text("handler", one.handler());
      if (one.own() != null) json.flag("own", one.own());
      json.closeObject();
    }
    json.closeArray().openArray("guessed");
    for (String path : PathMentions.all()) json.openObject(null).text("method", "GET").text("path", path).text("handler", null).closeObject();
    json.closeArray().openArray("words");
    for (String word : PathMentions.words()) json.element(word);
    json.closeArray();
    NamedDatabases.write(json);
    Settings.write(json);
    json.closeObject();
  }
}
