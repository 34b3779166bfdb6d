package benchside.probe.look;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Reads the annotations of JAX-RS (of {@code javax} and {@code jakarta}) in classes as they are loaded, whichever product serves them. */
public final class ResourceClasses {
  private static final String PACKAGE = "/ws/rs/";
  private static final Set<String> verbs = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

  private ResourceClasses() {}

  /** @param name of the class, with slashes */
  public static void look(String name, byte[] bytes) {
    // A product’s own resources, such as Jersey’s description of them, are not the app’s.
    if (name.startsWith("org/glassfish/") || name.startsWith("org/jboss/") || name.startsWith("org/apache/")) return;
    if (!new String(bytes, StandardCharsets.ISO_8859_1).contains(PACKAGE)) return;
    new ClassReader(bytes).accept(new Resource(name.substring(name.lastIndexOf('/') + 1)), ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  private static String kind(String descriptor) {
    return descriptor.startsWith("Ljavax" + PACKAGE) || descriptor.startsWith("Ljakarta" + PACKAGE) ? descriptor.substring(descriptor.lastIndexOf('/') + 1, descriptor.length() - 1) : "";
  }

  private static final class Resource extends ClassVisitor {
    private final String type;
    private String base;

    Resource(String type) {
      super(Opcodes.ASM9);
      this.type = type;
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      return switch (kind(descriptor)) {
        case "Path" -> value(path -> base = path);
        case "ApplicationPath" -> value(AppLook::applicationPath);
        default -> null;
      };
    }

    @Override
    public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
      if (base == null) return null;
      return new MethodVisitor(Opcodes.ASM9) {
        private String verb;
        private String path = "";

        @Override
        public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
          String kind = kind(annotation);
          if (verbs.contains(kind)) verb = kind;
          return kind.equals("Path") ? value(given -> path = given) : null;
        }

        @Override
        public void visitEnd() {
          if (verb != null) AppLook.resource(verb, base + "/" + path, type + "." + method);
        }
      };
    }
  }

  private static AnnotationVisitor value(java.util.function.Consumer<String> found) {
    return new AnnotationVisitor(Opcodes.ASM9) {
      @Override
      public void visit(String name, Object value) {
        if (name.equals("value")) found.accept(String.valueOf(value));
      }
    };
  }
}
