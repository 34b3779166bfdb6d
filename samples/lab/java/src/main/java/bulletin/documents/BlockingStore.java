package bulletin.documents;

import bulletin.http.Reply;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpClient: the thread of the request waits for a connection of the pool, and then for the store. */
final class BlockingStore implements DocumentStore {
  private final HttpHost host;
  private final CloseableHttpClient client;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
    Thread thread = new Thread(work, "document-timer");
    thread.setDaemon(true);
    return thread;
  });

  BlockingStore(HttpHost host, int poolSize) {
    this.host = host;
    Timeout timeout = Timeout.ofMilliseconds(TIMEOUT_MS);
    client = HttpClients.custom()
        .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
            .setMaxConnTotal(poolSize)
            .setMaxConnPerRoute(poolSize)
            .setDefaultConnectionConfig(ConnectionConfig.custom().setConnectTimeout(timeout).setSocketTimeout(timeout).build())
            .build())
        .setDefaultRequestConfig(RequestConfig.custom().setConnectionRequestTimeout(timeout).setResponseTimeout(timeout).build())
        .disableAutomaticRetries()
        .disableRedirectHandling()
        .disableCookieManagement()
        .disableContentCompression()
        .build();
  }

  @Override
  public Reply fetch(String path) {
    HttpGet get = new HttpGet(path);
    // each of the client's own limits counts again; together they may not take longer than one
    ScheduledFuture<?> limit = timer.schedule(get::abort, TIMEOUT_MS, TimeUnit.MILLISECONDS);
    try {
      return client.execute(host, get, answer -> StoreAnswer.passedOn(answer.getCode(), EntityUtils.toByteArray(answer.getEntity())));
    } catch (IOException e) {
      return StoreAnswer.unavailable();
    } finally {
      limit.cancel(false);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    client.close(CloseMode.IMMEDIATE);
  }
}
