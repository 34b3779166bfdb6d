import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/** Leaves a temporary folder, and answers until the file named by TRIGGER appears; then it fills its heap. */
public class Hungry {
  static final List<byte[]> eaten = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    Path trigger = Path.of(System.getenv("TRIGGER"));
    Files.createTempDirectory(System.getenv("LEAVES"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
    server.createContext("/", exchange -> {
      byte[] body = "{}".getBytes();
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.start();
    while (!Files.exists(trigger)) Thread.sleep(20);
    while (true) eaten.add(new byte[1 << 20]);
  }
}
