package bulletin.routes;

import bulletin.http.Reply;
import bulletin.http.Timing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** An answer that another thread comes to; no thread waits for it. */
public record LaterReply(CompletableFuture<? extends Reply> reply) implements Reply {
  @Override
  public void sendTo(Response response, Callback callback, Timing timing) {
    reply.whenComplete((ready, failure) -> {
      if (failure == null) ready.sendTo(response, callback, timing);
      else callback.failed(failure);
    });
  }

  @Override
  public Reply orWhenFailed(Function<Throwable, Reply> substitute) {
    return new LaterReply(reply.handle((ready, failure) -> failure == null ? ready : substitute.apply(cause(failure))));
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
  }
}
