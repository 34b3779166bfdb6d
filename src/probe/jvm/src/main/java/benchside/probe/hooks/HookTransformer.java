package benchside.probe.hooks;

import benchside.probe.Notes;
import benchside.probe.look.AppLook;
import benchside.probe.look.NamedDatabases;
import benchside.probe.pools.LendingGate;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Puts calls of {@link Hooks} into the classes of pools and servers. Only bodies of methods change, so that classes which are loaded already are treated in the
 * same way. A class that cannot be treated stays as it is.
 */
public final class HookTransformer implements ClassFileTransformer {
  /** Read before this transformer is asked about the class that they are in. */
  private static final Map<String, List<MethodHook>> hooks = HookedClasses.hooks;
  private static final Map<String, List<MethodHook>> ofDriver = AppLook.isOn() || NamedDatabases.areLed() ? LeadHooks.hooks : Map.of();

  /** Pools that the probe does not know; it reports that they are there. */
  private static final Map<String, String> unknown = Map.of("org/vibur/dbcp/ViburDBCPDataSource", "Vibur");

  /** Hooks, which must not throw; those on lending throw what the pool’s own method would. */
  private static final Set<String> own = Set.of(
      "benchside/probe/hooks/Hooks", "benchside/probe/hooks/HttpHooks", "benchside/probe/hooks/LookHooks",
      "benchside/probe/hooks/R2dbcHooks", "benchside/probe/hooks/RequestHooks");
  private static final Set<String> guarded = ConcurrentHashMap.newKeySet();
  private final boolean looks;

  private HookTransformer(boolean looks) {
    this.looks = looks;
  }

  /**
   * Treats what is loaded from now on, and what is loaded already.
   *
   * @param looks whether pools and servers are looked into, and not only the driver
   */
  public static void install(Instrumentation instrumentation, boolean looks) {
    HookTransformer transformer = new HookTransformer(looks);
    instrumentation.addTransformer(transformer, true);
    if (!areGuarded()) {
      instrumentation.removeTransformer(transformer);
      Notes.add("Pools of connections are not timed, since what times them could not be kept from failing the app.");
      return;
    }
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      String name = type.getName().replace('.', '/');
      mention(name);
      if (transformer.wanted(name) != null && instrumentation.isModifiableClass(type)) loaded.add(type);
    }
    for (Class<?> type : loaded) {
      try {
        instrumentation.retransformClasses(type);
      } catch (Throwable thrown) {
        Notes.add(type.getName() + " could not be looked into: " + thrown);
      }
    }
  }

  /** Loads the hooks, each of which gets its guards then: only now, and not while another class is treated. */
  private static boolean areGuarded() {
    try {
      for (String name : own) Class.forName(name.replace('/', '.'), false, null);
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
    return guarded.containsAll(own);
  }

  @Override
  public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    // The probe’s own classes are loaded by this very method: to ask them for one of themselves ends in a circle.
    if (name == null || name.startsWith("benchside/probe/")) return name != null && own.contains(name) ? guarded(name, bytes) : null;
    List<MethodHook> wanted = wanted(name);
    if (wanted == null) {
      if (AppLook.isOn()) AppLook.loaded(name, domain, bytes);
      mention(name);
      return null;
    }
    try {
      if (!seesHooks(loader)) {
        Notes.add(name.replace('/', '.') + " is in a class loader that does not see the probe, so that it cannot be timed.");
        return null;
      }
      return hooked(name, bytes, wanted);
    } catch (Throwable thrown) {
      Notes.add(name.replace('/', '.') + " could not be looked into: " + thrown);
      return null;
    }
  }

  /** What is put into a class of this name; null where it is left alone. */
  private List<MethodHook> wanted(String name) {
    List<MethodHook> found = looks ? hooks.get(name) : null;
    if (found == null && AppLook.isOn()) found = LookHooks.hooks.get(name);
    return found == null ? ofDriver.get(name) : found;
  }

  private static void mention(String name) {
    String product = unknown.get(name);
    if (product != null) Notes.add("The app has a pool of " + product + ", which the probe cannot see.");
  }

  /** A class loader may hide what the bootstrap loader has; a hook there would be an error in the app. */
  private static boolean seesHooks(ClassLoader loader) {
    try {
      return Class.forName(Hooks.class.getName(), false, loader) == Hooks.class;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static byte[] guarded(String name, byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
      @Override
      public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
        MethodVisitor visitor = super.visitMethod(access, method, descriptor, signature, exceptions);
        return access == (Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC) ? new Guard(visitor, descriptor) : visitor;
      }
    }, ClassReader.EXPAND_FRAMES);
    byte[] written = writer.toByteArray();
    guarded.add(name);
    return written;
  }

  private static byte[] hooked(String name, byte[] bytes, List<MethodHook> wanted) {
    ClassReader reader = new ClassReader(bytes);
    Set<String> methods = methodsOf(reader);
    Set<MethodHook> used = new HashSet<>();
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
      @Override
      public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
        MethodVisitor visitor = super.visitMethod(access, method, descriptor, signature, exceptions);
        if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_BRIDGE)) != 0) return visitor;
        for (MethodHook hook : wanted) {
          if (hook.isStatic() != ((access & Opcodes.ACC_STATIC) != 0) || !hook.isFor(method, descriptor, methods)) continue;
          used.add(hook);
          if (hook.isGate()) LendingGate.isPutBefore(name);
          visitor = hook.into(visitor, name, access, method, descriptor);
        }
        return visitor;
      }
    }, ClassReader.EXPAND_FRAMES);
    for (MethodHook hook : wanted) {
      if (!used.contains(hook) && !hook.isNotNeeded(methods) && hooks.containsKey(name)) Notes.add(name.replace('/', '.') + " has no method " + hook.method() + " that is known: some of its figures are missing.");
    }
    return used.isEmpty() ? null : writer.toByteArray();
  }

  private static Set<String> methodsOf(ClassReader reader) {
    Set<String> methods = new HashSet<>();
    reader.accept(new ClassVisitor(Opcodes.ASM9) {
      @Override
      public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
        methods.add(method + descriptor);
        return null;
      }
    }, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return methods;
  }
}
