package benchside.probe.look;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What can be a path of a route in the app’s own classes, whichever framework it uses: texts that look like one, and annotations of methods below those of
 * their class.
 */
final class PathMentions {
  private static final int MOST = 400;
  private static final Pattern path = Pattern.compile("/[\\w.~:{}<>/-]{0,200}");
  private static final Pattern within = Pattern.compile("[\\w.~:{}<>/-]{0,200}");
  /** A part of a path where a language writes each by itself: Root / "orders" / id. */
  private static final Pattern word = Pattern.compile("[a-z][a-z0-9]{2,29}(?:[-_][a-z0-9]{1,20}){0,3}");
  private static final int MOST_WORDS = 120;
  private static final Set<String> found = new LinkedHashSet<>();
  private static final Set<String> words = new LinkedHashSet<>();

  private PathMentions() {}

  static void look(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    reader.accept(new Mentions(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  static List<String> all() {
    synchronized (found) {
      return new ArrayList<>(found);
    }
  }

  static List<String> words() {
    synchronized (found) {
      return new ArrayList<>(words);
    }
  }

  private static void addWord(String text) {
    if (!word.matcher(text).matches()) return;
    synchronized (found) {
      if (words.size() < MOST_WORDS) words.add(text);
    }
  }

  private static void add(String text) {
    String one = text.replaceAll("/{2,}", "/").replaceAll("(?<=.)/$", "");
    // A file of the machine is none.
    if (!path.matcher(one).matches() || one.matches("/(?:tmp|var|etc|usr|home|dev|proc|opt|bin)/.*")) return;
    synchronized (found) {
      if (found.size() < MOST) found.add(one);
    }
  }

  private static final class Mentions extends ClassVisitor {
    private String base;

    Mentions() {
      super(Opcodes.ASM9);
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      return new Texts(text -> {
        if (text.startsWith("/") && base == null) base = text;
      });
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
          if (base != null) add(base);
          return new Texts(text -> {
            if (within.matcher(text).matches() && (base != null || text.startsWith("/"))) add(base == null ? text : base + "/" + text);
          });
        }

        @Override
        public void visitLdcInsn(Object value) {
          if (!(value instanceof String text)) return;
          if (text.startsWith("/")) add(text);
          else {
            addWord(text);
            Settings.named(text);
          }
        }
      };
    }
  }

  /** Every text of an annotation, those of its lists among them. */
  private static final class Texts extends AnnotationVisitor {
    private final java.util.function.Consumer<String> use;

    Texts(java.util.function.Consumer<String> use) {
      super(Opcodes.ASM9);
      this.use = use;
    }

    @Override
    public void visit(String name, Object value) {
      if (value instanceof String text) use.accept(text);
    }

    @Override
    public AnnotationVisitor visitArray(String name) {
      return this;
    }
  }
}
