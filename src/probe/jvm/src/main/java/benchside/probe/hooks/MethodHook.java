package benchside.probe.hooks;

import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.AdviceAdapter;
import org.objectweb.asm.commons.Method;

/**
 * Where one method calls what of {@link Hooks}.
 *
 * @param descriptor of the method, or null for every one of that name
 * @param failed hook for an exception that the method itself throws, or null
 * @param unless name and descriptor of a method in whose presence this one is left alone, or null
 */
record MethodHook(Place place, String method, String descriptor, String hook, String failed, String unless) {
  private static final Type hooks = Type.getType(Hooks.class);

  private enum Place { ENTRY, ENTRY_WITH_ARGUMENT, ENTRY_WITH_LONG, EXIT, TIMED }

  /** {@code hook(this)} as the first thing. */
  static MethodHook entry(String method, String descriptor, String hook) {
    return new MethodHook(Place.ENTRY, method, descriptor, hook, null, null);
  }

  /** {@code hook(this, first parameter)}; the first parameter must be an object. */
  static MethodHook entryWithArgument(String method, String descriptor, String hook) {
    return new MethodHook(Place.ENTRY_WITH_ARGUMENT, method, descriptor, hook, null, null);
  }

  /** {@code hook(this, first parameter)}; the first parameter must be a long. */
  static MethodHook entryWithLong(String method, String descriptor, String hook) {
    return new MethodHook(Place.ENTRY_WITH_LONG, method, descriptor, hook, null, null);
  }

  /** {@code hook(this)} before it returns. */
  static MethodHook exit(String method, String descriptor, String hook) {
    return new MethodHook(Place.EXIT, method, descriptor, hook, null, null);
  }

  /** {@code hook(this, result, System.nanoTime() at its start)} before it returns an object, and {@code failed(this, exception, …)}. */
  static MethodHook timed(String method, String descriptor, String hook, String failed) {
    return new MethodHook(Place.TIMED, method, descriptor, hook, failed, null);
  }

  MethodHook unlessThereIs(String other) {
    return new MethodHook(place, method, descriptor, hook, failed, other);
  }

  boolean isFor(String name, String itsDescriptor, Set<String> methods) {
    if (!name.equals(method) || isNotNeeded(methods)) return false;
    return descriptor == null ? hasParameters(itsDescriptor) : descriptor.equals(itsDescriptor);
  }

  boolean isNotNeeded(Set<String> methods) {
    return unless != null && methods.contains(unless);
  }

  private boolean hasParameters(String itsDescriptor) {
    Type[] parameters = Type.getArgumentTypes(itsDescriptor);
    return switch (place) {
      case ENTRY_WITH_ARGUMENT -> parameters.length > 0 && parameters[0].getSort() == Type.OBJECT;
      case ENTRY_WITH_LONG -> parameters.length > 0 && parameters[0] == Type.LONG_TYPE;
      default -> true;
    };
  }

  MethodVisitor into(MethodVisitor visitor, int access, String name, String itsDescriptor) {
    return new Advice(visitor, access, name, itsDescriptor);
  }

  private final class Advice extends AdviceAdapter {
    private int startNs;

    Advice(MethodVisitor visitor, int access, String name, String itsDescriptor) {
      super(Opcodes.ASM9, visitor, access, name, itsDescriptor);
    }

    @Override
    protected void onMethodEnter() {
      switch (place) {
        case ENTRY -> {
          loadThis();
          call(hook, "(Ljava/lang/Object;)V");
        }
        case ENTRY_WITH_ARGUMENT -> {
          loadThis();
          loadArg(0);
          call(hook, "(Ljava/lang/Object;Ljava/lang/Object;)V");
        }
        case ENTRY_WITH_LONG -> {
          loadThis();
          loadArg(0);
          call(hook, "(Ljava/lang/Object;J)V");
        }
        case TIMED -> {
          startNs = newLocal(Type.LONG_TYPE);
          invokeStatic(Type.getType(System.class), new Method("nanoTime", "()J"));
          storeLocal(startNs);
        }
        case EXIT -> {}
      }
    }

    @Override
    protected void onMethodExit(int opcode) {
      if (place == Place.EXIT && opcode == RETURN) {
        loadThis();
        call(hook, "(Ljava/lang/Object;)V");
      } else if (place == Place.TIMED && opcode == ARETURN) {
        callWithTop(hook, "Ljava/lang/Object;");
      } else if (place == Place.TIMED && opcode == ATHROW && failed != null) {
        callWithTop(failed, "Ljava/lang/Throwable;");
      }
    }

    /** Leaves what is on top of the stack there. */
    private void callWithTop(String name, String type) {
      dup();
      loadThis();
      swap();
      loadLocal(startNs);
      call(name, "(Ljava/lang/Object;" + type + "J)V");
    }

    private void call(String name, String itsDescriptor) {
      invokeStatic(hooks, new Method(name, itsDescriptor));
    }
  }
}
