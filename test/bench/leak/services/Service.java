import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** A service with one thing planted, by KIND: what leaks, and what only looks like it. */
public class Service {
    static final List<byte[]> kept = Collections.synchronizedList(new ArrayList<>());
    static final Map<String, Object> sessions = new ConcurrentHashMap<>();
    static final ThreadLocal<List<Object>> perThread = ThreadLocal.withInitial(ArrayList::new);
    static final Map<Integer, byte[]> recent = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, byte[]> eldest) {
            return size() > 2_000;
        }
    });
    static final Map<String, AtomicInteger> byRoute = new ConcurrentHashMap<>();
    static final Map<Object, byte[]> weak = Collections.synchronizedMap(new WeakHashMap<>());
    static final AtomicInteger number = new AtomicInteger();

    static void act(String kind, int count, String path) {
        switch (kind) {
            case "list-100" -> kept.add(new byte[80]);
            case "map-1000" -> sessions.put("session-" + count, new byte[900]);
            case "thread-local" -> perThread.get().add(new byte[200]);
            case "lru" -> recent.put(count, new byte[300]);
            case "by-route" -> byRoute.computeIfAbsent(path, (name) -> new AtomicInteger()).incrementAndGet();
            case "weak" -> weak.put(new Object(), new byte[500]);
            default -> { }
        }
    }

    public static void main(String[] arguments) throws Exception {
        String kind = System.getenv().getOrDefault("KIND", "none");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 128);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", (exchange) -> {
            int count = number.incrementAndGet();
            act(kind, count, exchange.getRequestURI().getPath());
            byte[] body = String.valueOf(count).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
