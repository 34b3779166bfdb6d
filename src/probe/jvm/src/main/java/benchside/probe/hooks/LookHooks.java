package benchside.probe.hooks;

import static benchside.probe.hooks.MethodHook.Place.*;

import benchside.probe.Access;
import benchside.probe.ProbeThread;
import benchside.probe.look.AppLook;
import benchside.probe.look.Settings;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

/** Calls from an app that is only introspected: where routes are registered, variables are read and properties are looked up. As {@link Hooks} says. */
public final class LookHooks {
  private static final List<MethodHook> ofSpring = List.of(ENTRY_WITH_ARGUMENTS.of("register", null, "LookHooks.routeMapped"));
  private static final List<MethodHook> ofJetty = List.of(EXIT.of("updateMappings", null, "LookHooks.servletsMapped"));
  private static final String NAMED = "(Ljava/lang/String;)Ljava/lang/String;";
  /** A source of MicroProfile Config that has the environment: it is asked for every property that nothing before it has. */
  private static final List<MethodHook> ofEnvironment = List.of(ENTRY_WITH_ARGUMENT.of("getValue", NAMED, "LookHooks.propertyAsked"));

  static final Map<String, List<MethodHook>> hooks = Map.ofEntries(
      Map.entry("org/springframework/web/servlet/handler/AbstractHandlerMethodMapping$MappingRegistry", ofSpring),
      Map.entry("org/springframework/web/reactive/result/method/AbstractHandlerMethodMapping$MappingRegistry", ofSpring),
      Map.entry("org/eclipse/jetty/servlet/ServletHandler", ofJetty),
      Map.entry("org/eclipse/jetty/ee8/servlet/ServletHandler", ofJetty),
      Map.entry("org/eclipse/jetty/ee9/servlet/ServletHandler", ofJetty),
      Map.entry("org/eclipse/jetty/ee10/servlet/ServletHandler", ofJetty),
      Map.entry("org/eclipse/jetty/ee11/servlet/ServletHandler", ofJetty),
      Map.entry("org/apache/catalina/core/StandardContext", List.of(ENTRY_WITH_ARGUMENT.of("addServletMappingDecoded", null, "LookHooks.servletMapped"))),
      Map.entry("io/undertow/servlet/core/DeploymentManagerImpl", List.of(EXIT.of("deploy", null, "LookHooks.servletsDeployed"))),
      // What System.getenv and the map that it gives end in.
      Map.entry("java/lang/ProcessEnvironment$StringEnvironment", List.of(
          ENTRY_WITH_ARGUMENT.of("get", null, "LookHooks.variableRead"),
          ENTRY_WITH_ARGUMENT.of("containsKey", null, "LookHooks.variableRead"))),
      Map.entry("org/springframework/boot/context/properties/bind/Binder", List.of(
          ENTRY_WITH_ARGUMENT.of("findProperty", null, "LookHooks.propertyAsked"),
          TIMED.of("findProperty", null, "LookHooks.propertyFound"))),
      Map.entry("io/smallrye/config/EnvConfigSource", ofEnvironment),
      Map.entry("io/helidon/config/mp/MpEnvironmentVariablesSource", ofEnvironment),
      Map.entry("io/smallrye/config/SmallRyeConfig", List.of(TIMED.of("getConfigValue", null, "LookHooks.propertyFound"))),
      Map.entry("io/helidon/config/AbstractConfigImpl", List.of(EXIT.of("<init>", null, "LookHooks.keyMade"))),
      Map.entry("io/micronaut/context/env/PropertySourcePropertyResolver", List.of(
          ENTRY_WITH_ARGUMENT.of("getProperty", null, "LookHooks.propertyAsked"),
          ENTRY_WITH_ARGUMENT.of("containsProperty", null, "LookHooks.propertyAsked"))),
      Map.entry("com/typesafe/config/impl/SubstitutionExpression", List.of(EXIT.of("<init>", null, "LookHooks.substituted"))));

  private LookHooks() {}

  /**
   * @param registry of Spring’s mappings
   * @param mapped the mapping, its handler or the name of that, and the method
   */
  public static void routeMapped(Object registry, Object[] mapped) {
    if (mapped.length == 3 && mapped[2] instanceof Method method) AppLook.mapped(mapped[0], handlerType(registry, mapped[1]), method);
  }

  /** The class of a handler, which may be given as the name of a bean; null where it is not known. */
  private static Class<?> handlerType(Object registry, Object handler) {
    if (!(handler instanceof String name)) return handler == null ? null : handler.getClass();
    try {
      Object context = Access.call(Access.field(registry, "this$0"), "getApplicationContext");
      return Access.call(context, "getType", String.class, name) instanceof Class<?> type ? type : null;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /** @param handler Jetty's ServletHandler, which has just ordered its mappings */
  public static void servletsMapped(Object handler) throws ReflectiveOperationException {
    // Before its start the context is not known; it orders them again then.
    Object context = Access.call(handler, "getServletContext");
    if (context == null || !(Access.call(handler, "getServletMappings") instanceof Object[] all)) return;
    for (Object one : all) {
      Object name = Access.call(one, "getServletName");
      Object holder = name == null ? null : Access.call(handler, "getServlet", String.class, name);
      Object type = holder == null ? null : Access.call(holder, "getClassName");
      if (Access.call(one, "getPathSpecs") instanceof String[] paths) for (String path : paths) AppLook.servlet(pathOf(context, "getContextPath"), path, type);
    }
  }

  /** @param context Tomcat's StandardContext; the servlet of the mapping is not known by then, so that only its path is */
  public static void servletMapped(Object context, Object pattern) throws ReflectiveOperationException {
    AppLook.servlet(pathOf(context, "getPath"), String.valueOf(pattern), null);
  }

  /** @param manager Undertow's DeploymentManager, which has just deployed */
  public static void servletsDeployed(Object manager) throws ReflectiveOperationException {
    Object info = Access.call(Access.call(manager, "getDeployment"), "getDeploymentInfo");
    if (!(Access.call(info, "getServlets") instanceof Map<?, ?> servlets)) return;
    for (Object one : servlets.values()) {
      Class<?> type = Access.call(one, "getServletClass") instanceof Class<?> known ? known : null;
      if (Access.call(one, "getMappings") instanceof List<?> paths)
        for (Object path : paths) AppLook.servlet(pathOf(info, "getContextPath"), String.valueOf(path), type == null ? null : type.getName());
    }
  }

  private static String pathOf(Object context, String getter) throws ReflectiveOperationException {
    return Access.call(context, getter) instanceof String path && !path.equals("/") ? path : "";
  }

  public static void variableRead(Object environment, Object name) {
    if (!ProbeThread.isCurrent()) Settings.read(name);
  }

  public static void propertyAsked(Object asker, Object name) {
    Settings.asked(String.valueOf(name), null);
  }

  /** @param found ConfigurationProperty of Spring Boot, or ConfigValue of SmallRye: both have a name and a value */
  public static void propertyFound(Object asker, Object found, long startNs) throws ReflectiveOperationException {
    if (found == null) return;
    Method value = Access.findMethod(found.getClass(), "getValue");
    Method name = Access.findMethod(found.getClass(), "getName");
    if (value != null && name != null)
      Settings.asked(String.valueOf(Access.invoke(name, found)), String.valueOf(Access.invoke(value, found)));
  }

  /** @param node of Helidon’s configuration */
  public static void keyMade(Object node) throws ReflectiveOperationException {
    Settings.asked(String.valueOf(Access.call(node, "key")), null);
  }

  /** @param expression <code>${?NAME}</code> of a HOCON file, which is looked for in the environment, too */
  public static void substituted(Object expression) {
    AppLook.variableWritten(String.valueOf(expression));
  }
}
