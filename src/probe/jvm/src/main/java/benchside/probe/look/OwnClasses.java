package benchside.probe.look;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Which classes are the app’s own, rather than a library’s: those of a folder, those that Spring Boot packs next to its libraries, those of the packages of its
 * sources, and where these are not known, those named like the class that starts the app.
 */
final class OwnClasses {
  /** Beginnings of names, with a dot at their ends. */
  private static final String[] prefixes = prefixes();

  private OwnClasses() {}

  static boolean isOwn(Class<?> type) {
    return isOwn(type.getName(), type.getProtectionDomain());
  }

  /** @param name with dots */
  static boolean isOwn(String name, ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    URL location = source == null ? null : source.getLocation();
    if (location == null || name.startsWith("benchside.probe.")) return false;
    String text = location.toString();
    if (text.contains("/classes/!") || text.contains("BOOT-INF/classes") || text.contains("WEB-INF/classes")) return true;
    for (String prefix : prefixes) if (name.startsWith(prefix)) return true;
    return text.startsWith("file:") && !text.endsWith(".jar");
  }

  private static String[] prefixes() {
    String packages = System.getenv("BENCHSIDE_PROBE_PACKAGES");
    if (packages != null && !packages.isEmpty()) return Stream.of(packages.split(",")).map(name -> name + ".").toArray(String[]::new);
    // The class that starts it may be a library’s.
    String prefix = prefixOf(mainClass());
    return prefix.isEmpty() ? new String[0] : new String[] {prefix};
  }

  /** The class that is started, from the command line or from the jar that it names; empty where it is not known. */
  private static String mainClass() {
    String started = System.getProperty("sun.java.command", "").strip();
    String first = started.contains(".jar") ? started.substring(0, started.indexOf(".jar") + 4) : started.split("\\s", 2)[0];
    if (!first.endsWith(".jar")) return first;
    try {
      Path jar = Path.of(first);
      if (!Files.isRegularFile(jar)) return "";
      try (JarFile opened = new JarFile(jar.toFile())) {
        Manifest manifest = opened.getManifest();
        String main = manifest == null ? null : manifest.getMainAttributes().getValue("Main-Class");
        return main == null ? "" : main;
      }
    } catch (IOException | InvalidPathException e) {
      return "";
    }
  }

  /** Two words of a package with three, else all of it; a class in no package says nothing. */
  private static String prefixOf(String main) {
    String[] words = main.split("[./]");
    if (words.length < 2) return "";
    return words.length == 2 ? words[0] + "." : words[0] + "." + words[1] + ".";
  }
}
