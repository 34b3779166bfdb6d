package benchside.probe.hooks;

import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.AdviceAdapter;
import org.objectweb.asm.commons.Method;

/**
 * The place in one method that calls a method of {@link Hooks}, or of another class of this package.
 *
 * @param descriptor of the method, or null for every one of that name
 * @param hook the name of a method of {@link Hooks}, or {@code Class.method}; null: nothing is called
 * @param failed hook for an exception that the method itself throws, or for the deadline of a gate, or null
 * @param unless name and descriptor of a method in whose presence this one is left alone, or null
 * @param where name and descriptor of a method in whose absence this one is left alone, or null
 */
record MethodHook(Place place, String method, String descriptor, String hook, String failed, String unless, String where) {
  static final String PACKAGE = Type.getInternalName(MethodHook.class).replaceFirst("[^/]+$", "");

  /** Where in a method it is called, and with what. */
  enum Place {
    /** {@code hook(this)} as the first thing. */
    ENTRY,
    /** {@code hook(last parameter)}, which must be an object, as the first thing of a static method. */
    STATIC_ENTRY,
    /** {@code hook(this, first object among its parameters)}. */
    ENTRY_WITH_ARGUMENT,
    /** {@code hook(this, Object[] of all parameters)}. */
    ENTRY_WITH_ARGUMENTS,
    /** {@code first parameter = hook(first parameter)} as the first thing; both are texts. */
    FIRST_TEXT,
    /** {@code hook(this, first parameter)}; the first parameter must be a long. */
    ENTRY_WITH_LONG,
    /** {@code hook(this)} before it returns. */
    EXIT,
    /** {@code hook(this, result, System.nanoTime() at its start)} before it returns an object, and {@code failed(this, exception, …)}. */
    TIMED,
    /** {@code if (hook(this, first parameter)) return;}, of a method that returns nothing. */
    GUARD,
    /** {@code if (LendingHooks.isGated(this)) return hook(this, parameters);}, of a method that returns an object. Goes before what is timed. */
    GATE,
    /** {@code return hook(this, result, failed(this, parameters))} in place of the result; the latter, a deadline, is asked for at its start. */
    GATE_LATE;

    MethodHook of(String method, String descriptor, String hook) {
      return of(method, descriptor, hook, null);
    }

    MethodHook of(String method, String descriptor, String hook, String failed) {
      return new MethodHook(this, method, descriptor, hook, failed, null, null);
    }
  }

  boolean isStatic() {
    return place == Place.STATIC_ENTRY;
  }

  boolean isGate() {
    return place == Place.GATE;
  }

  MethodHook unlessThereIs(String other) {
    return new MethodHook(place, method, descriptor, hook, failed, other, where);
  }

  MethodHook whereThereIs(String other) {
    return new MethodHook(place, method, descriptor, hook, failed, unless, other);
  }

  boolean isFor(String name, String itsDescriptor, Set<String> methods) {
    if (!name.equals(method) || isNotNeeded(methods)) return false;
    return descriptor == null ? hasParameters(itsDescriptor) : descriptor.equals(itsDescriptor);
  }

  boolean isNotNeeded(Set<String> methods) {
    return (unless != null && methods.contains(unless)) || (where != null && !methods.contains(where));
  }

  private boolean hasParameters(String itsDescriptor) {
    Type[] parameters = Type.getArgumentTypes(itsDescriptor);
    return switch (place) {
      case STATIC_ENTRY -> parameters.length > 0 && parameters[parameters.length - 1].getSort() == Type.OBJECT;
      case ENTRY_WITH_ARGUMENT -> firstObject(parameters) >= 0;
      case GUARD -> parameters.length > 0 && parameters[0].getSort() == Type.OBJECT;
      case ENTRY_WITH_LONG -> parameters.length > 0 && parameters[0] == Type.LONG_TYPE;
      default -> true;
    };
  }

  private static int firstObject(Type[] parameters) {
    for (int i = 0; i < parameters.length; i += 1) if (parameters[i].getSort() == Type.OBJECT) return i;
    return -1;
  }

  /** As a frame has them. */
  static Object[] frameTypes(Type[] types) {
    return Stream.of(types).map(type -> (Object) switch (type.getSort()) {
      case Type.BOOLEAN, Type.BYTE, Type.CHAR, Type.SHORT, Type.INT -> Opcodes.INTEGER;
      case Type.LONG -> Opcodes.LONG;
      case Type.FLOAT -> Opcodes.FLOAT;
      case Type.DOUBLE -> Opcodes.DOUBLE;
      default -> type.getInternalName();
    }).toArray();
  }

  /** @param owner the class of the method, with slashes */
  MethodVisitor into(MethodVisitor visitor, String owner, int access, String name, String itsDescriptor) {
    return new Advice(visitor, owner, access, name, itsDescriptor);
  }

  private final class Advice extends AdviceAdapter {
    private final String owner;
    private final Type[] parameters;
    private final Type returned;
    /** When the method began, or until when it may take. */
    private int timeNs;

    Advice(MethodVisitor visitor, String owner, int access, String name, String itsDescriptor) {
      super(Opcodes.ASM9, visitor, access, name, itsDescriptor);
      this.owner = owner;
      this.parameters = Type.getArgumentTypes(itsDescriptor);
      this.returned = Type.getReturnType(itsDescriptor);
    }

    @Override
    protected void onMethodEnter() {
      switch (place) {
        case ENTRY -> {
          loadThis();
          call(hook, "(Ljava/lang/Object;)V");
        }
        case STATIC_ENTRY -> {
          loadArg(parameters.length - 1);
          call(hook, "(Ljava/lang/Object;)V");
        }
        case ENTRY_WITH_ARGUMENT -> {
          loadThis();
          loadArg(firstObject(parameters));
          call(hook, "(Ljava/lang/Object;Ljava/lang/Object;)V");
        }
        case ENTRY_WITH_ARGUMENTS -> {
          loadThis();
          loadArgArray();
          call(hook, "(Ljava/lang/Object;[Ljava/lang/Object;)V");
        }
        case FIRST_TEXT -> {
          loadArg(0);
          call(hook, "(Ljava/lang/String;)Ljava/lang/String;");
          storeArg(0);
        }
        case ENTRY_WITH_LONG -> {
          loadThis();
          loadArg(0);
          call(hook, "(Ljava/lang/Object;J)V");
        }
        case TIMED -> {
          timeNs = newLocal(Type.LONG_TYPE);
          invokeStatic(Type.getType(System.class), new Method("nanoTime", "()J"));
          storeLocal(timeNs);
        }
        case GUARD -> {
          loadThis();
          loadArg(0);
          call(hook, "(Ljava/lang/Object;Ljava/lang/Object;)Z");
          returnIfTrue(() -> {}, Opcodes.RETURN);
        }
        case GATE -> {
          loadThis();
          call("LendingHooks.isGated", "(Ljava/lang/Object;)Z");
          returnIfTrue(() -> {
            loadThis();
            loadArgs();
            call(hook, withThis("Ljava/lang/Object;"));
            checkCast(returned);
          }, Opcodes.ARETURN);
        }
        case GATE_LATE -> {
          timeNs = newLocal(Type.LONG_TYPE);
          loadThis();
          loadArgs();
          call(failed, withThis("J"));
          storeLocal(timeNs);
        }
        case EXIT -> {}
      }
    }

    private void returnIfTrue(Runnable result, int opcode) {
      Label goOn = newLabel();
      ifZCmp(EQ, goOn);
      result.run();
      // Not by way of this visitor, for which it would be an exit of the method.
      mv.visitInsn(opcode);
      mark(goOn);
      Object[] locals = Stream.concat(Stream.of(owner), Stream.of(frameTypes(parameters))).toArray();
      visitFrame(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]);
      // The method’s own first frame must not be at the same place.
      visitInsn(Opcodes.NOP);
    }

    /** The descriptor of a hook that is given this and all parameters. */
    private String withThis(String result) {
      StringBuilder all = new StringBuilder("(Ljava/lang/Object;");
      for (Type parameter : parameters) all.append(parameter.getDescriptor());
      return all.append(')').append(result).toString();
    }

    @Override
    protected void onMethodExit(int opcode) {
      if (place == Place.EXIT && opcode != ATHROW) {
        loadThis();
        call(hook, "(Ljava/lang/Object;)V");
      } else if (place == Place.TIMED && opcode == ARETURN && hook != null) {
        callWithTop(hook, "Ljava/lang/Object;");
      } else if (place == Place.TIMED && opcode == ATHROW && failed != null) {
        callWithTop(failed, "Ljava/lang/Throwable;");
      } else if (place == Place.GATE_LATE && opcode == ARETURN) {
        loadThis();
        swap();
        loadLocal(timeNs);
        call(hook, "(Ljava/lang/Object;Ljava/lang/Object;J)Ljava/lang/Object;");
        checkCast(returned);
      }
    }

    /** Leaves what is on top of the stack there. */
    private void callWithTop(String name, String type) {
      dup();
      loadThis();
      swap();
      loadLocal(timeNs);
      call(name, "(Ljava/lang/Object;" + type + "J)V");
    }

    private void call(String name, String itsDescriptor) {
      int dot = name.indexOf('.');
      String type = dot < 0 ? "Hooks" : name.substring(0, dot);
      invokeStatic(Type.getObjectType(PACKAGE + type), new Method(name.substring(dot + 1), itsDescriptor));
    }
  }
}
