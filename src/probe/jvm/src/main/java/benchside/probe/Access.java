package benchside.probe;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reads fields and calls methods of classes that are not ours, whatever module they are in. */
public final class Access {
  private static volatile Instrumentation instrumentation;
  /** Looking a field up costs more than a borrow does. With the class they go when the app drops it. */
  private static final ClassValue<Map<String, Field>> fields = new ClassValue<>() {
    @Override
    protected Map<String, Field> computeValue(Class<?> type) {
      return new ConcurrentHashMap<>();
    }
  };

  private Access() {}

  static void use(Instrumentation given) {
    instrumentation = given;
  }

  /** The value of a field of the object's class or of one above it. */
  public static Object field(Object owner, String name) throws ReflectiveOperationException {
    return field(owner.getClass(), name).get(owner);
  }

  public static Object staticField(Class<?> owner, String name) throws ReflectiveOperationException {
    return field(owner, name).get(null);
  }

  public static Object call(Object owner, String name) throws ReflectiveOperationException {
    return invoke(method(owner.getClass(), name), owner);
  }

  public static Object call(Object owner, String name, Class<?> type, Object argument) throws ReflectiveOperationException {
    return invoke(method(owner.getClass(), name, type), owner, argument);
  }

  public static int number(Object owner, String getter) throws ReflectiveOperationException {
    return ((Number) call(owner, getter)).intValue();
  }

  public static int numberField(Object owner, String name) throws ReflectiveOperationException {
    return ((Number) field(owner, name)).intValue();
  }

  /** Also of a final field, of which the owner must not be a record. */
  public static void setField(Object owner, String name, Object value) throws ReflectiveOperationException {
    field(owner.getClass(), name).set(owner, value);
  }

  public static void set(Object owner, String setter, int value) throws ReflectiveOperationException {
    call(owner, setter, int.class, value);
  }

  /** A method by its name and parameters, of the class or of one above it, or null. */
  public static Method findMethod(Class<?> owner, String name, Class<?>... parameters) {
    for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
      try {
        return opened(type, type.getDeclaredMethod(name, parameters));
      } catch (NoSuchMethodException e) {
        // perhaps above
      }
    }
    return null;
  }

  /** Calls it; what it throws comes as it was thrown when it is unchecked. */
  public static Object invoke(Method method, Object owner, Object... arguments) throws ReflectiveOperationException {
    try {
      return method.invoke(owner, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException unchecked) throw unchecked;
      throw e;
    }
  }

  private static Method method(Class<?> owner, String name, Class<?>... parameters) throws NoSuchMethodException {
    Method found = findMethod(owner, name, parameters);
    if (found == null) throw new NoSuchMethodException(owner.getName() + "." + name);
    return found;
  }

  private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
    Field known = fields.get(owner).get(name);
    if (known != null) return known;
    Field found = findField(owner, name);
    fields.get(owner).put(name, found);
    return found;
  }

  private static Field findField(Class<?> owner, String name) throws NoSuchFieldException {
    for (Class<?> type = owner; type != null; type = type.getSuperclass()) {
      try {
        return opened(type, type.getDeclaredField(name));
      } catch (NoSuchFieldException e) {
        // perhaps above
      }
    }
    throw new NoSuchFieldException(owner.getName() + "." + name);
  }

  private static <T extends java.lang.reflect.AccessibleObject> T opened(Class<?> owner, T member) {
    if (!member.trySetAccessible()) {
      open(owner);
      member.setAccessible(true);
    }
    return member;
  }

  /** Opens the package of a class in a named module to the probe, and to nobody else. */
  private static void open(Class<?> owner) {
    Instrumentation given = instrumentation;
    Module module = owner.getModule();
    if (given == null || !module.isNamed()) return;
    Set<Module> probe = Set.of(Probe.class.getModule());
    given.redefineModule(module, Set.of(), Map.of(), Map.of(owner.getPackageName(), probe), Set.of(), Map.of());
  }
}
