import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps 24 MB and allocates 200 kB for each request; as PLANT jvm-threads it waits 5 ms in its place. Heap and collector are what the command line says.
 */
public class Service {
  private static final List<byte[]> KEPT = new ArrayList<>();

  public static void main(String[] args) throws IOException {
    boolean waits = "jvm-threads".equals(System.getenv("PLANT"));
    for (int block = 0; block < 24 * 1024; block++) KEPT.add(new byte[1000]);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 256);
    server.setExecutor(Executors.newFixedThreadPool(Integer.parseInt(System.getenv().getOrDefault("THREADS", "16"))));
    server.createContext("/", exchange -> {
      List<String> rows = new ArrayList<>();
      if (waits) LockSupport.parkNanos(5_000_000);
      else for (int row = 0; row < 2000; row++) rows.add("row " + row);
      byte[] body = ("{\"rows\":" + rows.size() + ",\"kept\":" + KEPT.size() + "}").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
  }
}
