package bulletin.files;

import bulletin.http.Query;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;

/** The files of one folder. */
public final class StaticFiles {
  /** Neither a dot at the start nor anything encoded, so that no name leads out of the folder. */
  private static final Pattern NAME = Pattern.compile("([A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+\\.[a-z]+");
  private static final int MAX_NAME_LENGTH = 200;
  private static final Map<String, String> CONTENT_TYPES = Map.of(
      "jpg", "image/jpeg",
      "js", "text/javascript; charset=utf-8",
      "css", "text/css; charset=utf-8",
      "svg", "image/svg+xml");

  private final Path folder;

  public StaticFiles(Path folder) {
    this.folder = folder;
  }

  /** Answers GET /static/… */
  public Reply file(Request request, String name) throws RequestException {
    if (name.length() > MAX_NAME_LENGTH || !NAME.matcher(name).matches()) throw notFound();
    String contentType = CONTENT_TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (contentType == null) throw notFound();
    return reply(name, contentType);
  }

  /** Answers GET /page: a page with forty assets, or the same with its scripts in one file, its styles in another, and its pictures inside. */
  public Reply page(Request request, String segment) throws RequestException {
    boolean bundled = Query.numberIn(request, "bundle", 0, 1, 0) == 1;
    return reply(bundled ? "page-bundle.html" : "page.html", "text/html; charset=utf-8");
  }

  private FileReply reply(String name, String contentType) throws RequestException {
    Path file = folder.resolve(name);
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (attributes.isRegularFile()) return new FileReply(file, attributes.size(), contentType);
    } catch (IOException e) {
      // what cannot be read is not there
    }
    throw notFound();
  }

  private static RequestException notFound() {
    return new RequestException(404, "not found");
  }
}
