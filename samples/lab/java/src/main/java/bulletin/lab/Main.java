package bulletin.lab;

import bulletin.Service;
import bulletin.database.Connections;
import bulletin.database.Pool;

/** The bulletin board with what is planted for studies and tests. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    Service.run(environment -> {
      Configuration configuration = Configuration.read(environment);
      Pool pool = configuration.poolLibrary().open(configuration.sample().pool());
      Connections connections = new Connections(pool);
      Workloads workloads = new Workloads(configuration, pool, connections);
      return new Service.Parts(configuration.sample(), connections, workloads.routes(), workloads::close);
    });
  }
}
