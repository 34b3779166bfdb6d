package bulletin;

import bulletin.database.Connections;
import bulletin.http.Endpoint;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;

/** Serves HTTP until SIGTERM or SIGINT, finishes what it has begun, and ends the process. */
public final class Service {
  /** Longer than clients keep an idle connection, so that it is never closed under a request that is on its way. */
  private static final int KEEP_ALIVE_MS = 75_000;
  /** How long requests that are being answered may take when the service has to stop. */
  private static final int STOP_GRACE_MS = 5_000;
  /** Connections that may wait to be accepted; the usual default of 50 refuses some when hundreds arrive at once. */
  private static final int ACCEPT_QUEUE_SIZE = 511;
  private static final int REQUEST_HEADER_BYTES = 16 * 1024;

  private static final Logger log = LoggerFactory.getLogger(Service.class);

  private Service() {}

  /** What a service is made of, in the order in which it is closed: what is not of the advertisements, then the connections. */
  public record Parts(Configuration configuration, Connections connections, Endpoint others, Runnable closeOthers) {
    /** With the routes of the advertisements alone. */
    Parts(Configuration configuration, Connections connections) {
      this(configuration, connections, Parts::refuse, () -> {});
    }

    private static Reply refuse(Request request, String path) throws RequestException {
      throw new RequestException(404, "not found");
    }
  }

  /** Opens what a service is made of. */
  public interface Opening {
    Parts open(Map<String, String> environment) throws ConfigurationException;
  }

  public static void run(Opening opening) throws Exception {
    // taken over first, so that a stop during the start ends it with code 0 as well
    CountDownLatch stopAsked = new CountDownLatch(1);
    for (String signal : new String[] {"TERM", "INT"}) Signal.handle(new Signal(signal), received -> stopAsked.countDown());

    Parts parts = partsOrExit(opening);
    Configuration configuration = parts.configuration();
    Database database = new Database(parts.connections());
    Server server = new Server(threadPool(configuration));
    ServerConnector connector = connector(server, configuration);
    GracefulHandler inFlight = new GracefulHandler(new Routes(database, parts.others()));
    server.setHandler(inFlight);
    server.setErrorHandler(Routes::answerJettyError);
    try {
      server.start();
    } catch (Exception e) {
      throw fail("cannot listen on " + configuration.host() + ":" + configuration.port() + ": " + rootMessage(e));
    }
    log.info("listening on http://{}:{} (database pool {}, time-out {} ms, {} to {} {} threads)", configuration.host(), connector.getLocalPort(),
        configuration.pool().size(), configuration.pool().timeoutMs(), configuration.threadsMin(), configuration.threadsMax(), configuration.threadKind());
    try {
      database.ping();
    } catch (SQLException e) {
      log.warn("the database is not available: {}", e.getMessage());
    }

    stopAsked.await();
    connector.close();
    try {
      inFlight.shutdown().get(STOP_GRACE_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      log.warn("stopped before every request was answered");
    }
    server.stop();
    parts.closeOthers().run();
    parts.connections().close();
    log.info("stopped");
    System.exit(0);
  }

  private static QueuedThreadPool threadPool(Configuration configuration) {
    QueuedThreadPool threads = new QueuedThreadPool(configuration.threadsMax(), configuration.threadsMin());
    threads.setName("http");
    if (configuration.virtualThreads()) {
      // Jetty runs the handlers on these; its own threads for accepting and selecting stay platform threads.
      threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
    }
    return threads;
  }

  private static ServerConnector connector(Server server, Configuration configuration) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(REQUEST_HEADER_BYTES);
    // Paths are compared as they are and never name a file, so Jetty need not refuse the ones that could be read in two ways.
    http.setUriCompliance(UriCompliance.UNSAFE);
    ServerConnector connector = new ServerConnector(server, 1, -1, new HttpConnectionFactory(http));
    connector.setHost(configuration.host());
    connector.setPort(configuration.port());
    connector.setIdleTimeout(KEEP_ALIVE_MS);
    connector.setAcceptQueueSize(ACCEPT_QUEUE_SIZE);
    server.addConnector(connector);
    return connector;
  }

  private static Parts partsOrExit(Opening opening) {
    try {
      return opening.open(System.getenv());
    } catch (ConfigurationException e) {
      throw fail(e.getMessage());
    }
  }

  private static String rootMessage(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) cause = cause.getCause();
    return cause.getMessage();
  }

  /** Says why the service cannot start and ends the process; declared to return so that the compiler sees the end. */
  private static Error fail(String text) {
    System.err.println("bulletin-board: " + text);
    // no orderly end: nothing has been served yet
    Runtime.getRuntime().halt(1);
    return new Error();
  }
}
