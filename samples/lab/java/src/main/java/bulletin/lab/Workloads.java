package bulletin.lab;

import bulletin.accounts.Accounts;
import bulletin.database.Connections;
import bulletin.database.Pool;
import bulletin.documents.Documents;
import bulletin.files.StaticFiles;
import bulletin.limits.DatabaseWorkloads;
import bulletin.limits.LeftConnections;
import bulletin.limits.LocalWorkloads;
import bulletin.limits.SharedLock;
import bulletin.reviews.Reviews;
import bulletin.routes.RouteTable;
import bulletin.search.Search;

/** The routes in addition to those of the advertisements, each with a limit of its own, and what they keep open. */
final class Workloads implements AutoCloseable {
  private final Search search;
  private final Documents documents;
  private final RouteTable routes;

  Workloads(Configuration configuration, Pool pool, Connections connections) {
    search = new Search(configuration.searchWorkers());
    documents = new Documents(configuration.documents());
    StaticFiles files = new StaticFiles(configuration.staticFolder());
    SharedLock lock = new SharedLock();
    LocalWorkloads local = new LocalWorkloads(lock);
    DatabaseWorkloads database = new DatabaseWorkloads(connections, lock);
    Reviews reviews = new Reviews(connections);
    Accounts accounts = new Accounts(connections);
    routes = new RouteTable()
        .add("GET", "/search", search)
        .add("GET", "/static/*", files::file)
        .add("GET", "/page", files::page)
        .add("GET", "/report", database::report)
        .add("POST", "/counters/:", database::count)
        .add("GET", "/checkout", database::checkOut)
        .add("GET", "/nested", database::nested)
        .add("GET", "/leave", new LeftConnections(pool)::leave)
        .add("GET", "/allocate", local::allocate)
        .add("GET", "/locked", local::locked)
        .add("GET", "/compute", local::compute)
        .add("GET", "/reviews", reviews::list)
        .add("POST", "/reviews", reviews::post)
        .add("POST", "/accounts", accounts::open)
        .add("POST", "/session", accounts::logIn)
        .add("DELETE", "/session", accounts::logOut)
        .add("GET", "/account", accounts::overview)
        .add("POST", "/uploads", accounts::upload)
        .add("GET", "/documents/:", documents);
  }

  RouteTable routes() {
    return routes;
  }

  @Override
  public void close() {
    search.close();
    documents.close();
  }
}
