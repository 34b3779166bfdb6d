package bulletin.documents;

import bulletin.http.Endpoint;
import bulletin.http.Query;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import java.net.URI;
import org.apache.hc.core5.http.HttpHost;
import org.eclipse.jetty.server.Request;

/** Answers GET /documents/:id with what a store of documents has. */
public final class Documents implements Endpoint, AutoCloseable {
  private static final int MAX_ID = 1000;

  private final DocumentStore store;
  private final String pathBeforeId;

  public Documents(DocumentSettings settings) {
    store = settings.address() == null ? null : open(settings);
    String folder = settings.address() == null ? "" : settings.address().getRawPath().replaceAll("/+$", "");
    pathBeforeId = folder + "/" + settings.database() + "/doc-";
  }

  private static DocumentStore open(DocumentSettings settings) {
    URI address = settings.address();
    HttpHost host = new HttpHost(address.getScheme(), address.getHost(), address.getPort());
    return settings.async() ? new AsyncStore(host, settings.poolSize()) : new BlockingStore(host, settings.poolSize());
  }

  @Override
  public Reply answer(Request request, String segment) throws RequestException {
    int id = Query.idIn(segment, MAX_ID);
    if (store == null) throw new RequestException(503, StoreAnswer.UNAVAILABLE);
    return store.fetch(pathBeforeId + id);
  }

  @Override
  public void close() {
    if (store != null) store.close();
  }
}
