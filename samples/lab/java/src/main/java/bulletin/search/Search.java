package bulletin.search;

import bulletin.http.Answer;
import bulletin.http.Endpoint;
import bulletin.http.Query;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import bulletin.routes.LaterReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;

/** Answers GET /search on the thread of the request, or on threads that do nothing else. */
public final class Search implements Endpoint, AutoCloseable {
  private static final Pattern WORD = Pattern.compile("[a-z]{1,20}");

  private final ExecutorService workers;

  /**
   * @param workers how many threads search, or 0 for the request's own
   */
  public Search(int workers) {
    this.workers = workers == 0 ? null : Executors.newFixedThreadPool(workers, named(new AtomicInteger()));
  }

  private static ThreadFactory named(AtomicInteger count) {
    return work -> new Thread(work, "search-" + count.incrementAndGet());
  }

  @Override
  public Reply answer(Request request, String segment) throws RequestException {
    String word = Query.textIn(request, "word", "lantern");
    if (!WORD.matcher(word).matches()) throw new RequestException(400, "word must be 1 to 20 letters from a to z");
    if (workers == null) return found(word);
    return new LaterReply(CompletableFuture.supplyAsync(() -> found(word), workers));
  }

  private static Answer found(String word) {
    return Answer.json(200, searchText(SearchText.get(), word));
  }

  private static SearchResult searchText(String text, String word) {
    Matcher matcher = Pattern.compile("\\b" + word + "[a-z]*[ ]+[a-z]+ing\\b").matcher(text);
    int matches = 0;
    int first = -1;
    while (matcher.find()) {
      if (matches++ == 0) first = matcher.start();
    }
    return new SearchResult(word, matches, first);
  }

  @Override
  public void close() {
    if (workers != null) workers.shutdown();
  }
}
