package bulletin.documents;

import java.net.URI;

/**
 * Where documents come from.
 *
 * @param address of the store, or null when there is none
 * @param database the store's database, which is the first part of a document's path
 * @param poolSize connections to the store at most
 * @param async whether no thread waits for the store
 */
public record DocumentSettings(URI address, String database, int poolSize, boolean async) {}
