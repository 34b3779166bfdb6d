package bulletin.documents;

import bulletin.http.Reply;

/** A store that is asked over HTTP, through a pool of connections. */
interface DocumentStore extends AutoCloseable {
  /** How long a document may take, from the wait for a connection on. */
  int TIMEOUT_MS = 10_000;

  /** Fetches the document at a path of the store and answers with it, now or later. */
  Reply fetch(String path);

  @Override
  void close();
}
