package bulletin.documents;

import bulletin.http.Answer;
import bulletin.http.Reply;
import bulletin.routes.LaterReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.async.methods.SimpleHttpRequest;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/** Apache HttpAsyncClient: no thread waits, neither for a connection of the pool nor for the store. */
final class AsyncStore implements DocumentStore {
  private final HttpHost host;
  private final CloseableHttpAsyncClient client;

  AsyncStore(HttpHost host, int poolSize) {
    this.host = host;
    Timeout timeout = Timeout.ofMilliseconds(TIMEOUT_MS);
    client = HttpAsyncClients.custom()
        .setConnectionManager(PoolingAsyncClientConnectionManagerBuilder.create()
            .setMaxConnTotal(poolSize)
            .setMaxConnPerRoute(poolSize)
            .setDefaultConnectionConfig(ConnectionConfig.custom().setConnectTimeout(timeout).setSocketTimeout(timeout).build())
            .setDefaultTlsConfig(TlsConfig.custom().setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_1).build())
            .build())
        .setDefaultRequestConfig(RequestConfig.custom().setConnectionRequestTimeout(timeout).setResponseTimeout(timeout).build())
        .disableAutomaticRetries()
        .disableRedirectHandling()
        .disableCookieManagement()
        .build();
    client.start();
  }

  @Override
  public Reply fetch(String path) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    SimpleHttpRequest get = SimpleRequestBuilder.get().setHttpHost(host).setPath(path).build();
    Future<SimpleHttpResponse> exchange = client.execute(get, new FutureCallback<>() {
      @Override
      public void completed(SimpleHttpResponse response) {
        byte[] body = response.getBodyBytes();
        answer.complete(StoreAnswer.passedOn(response.getCode(), body == null ? new byte[0] : body));
      }

      @Override
      public void failed(Exception failure) {
        answer.complete(StoreAnswer.unavailable());
      }

      @Override
      public void cancelled() {
        answer.complete(StoreAnswer.unavailable());
      }
    });
    // each of the client's own limits counts again; together they may not take longer than one
    answer.completeOnTimeout(StoreAnswer.unavailable(), TIMEOUT_MS, TimeUnit.MILLISECONDS).thenRun(() -> exchange.cancel(true));
    return new LaterReply(answer);
  }

  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
  }
}
