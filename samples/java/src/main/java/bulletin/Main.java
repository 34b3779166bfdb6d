package bulletin;

import bulletin.database.Connections;
import bulletin.database.HikariConnections;

/** The bulletin board. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    Service.run(environment -> {
      Configuration configuration = Configuration.read(environment);
      return new Service.Parts(configuration, new Connections(new HikariConnections(configuration.pool())));
    });
  }
}
