package bulletin.database;

import bulletin.http.Timing;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Statements over a pool of connections.
 * Every method throws {@link Unavailable} when no connection can be had in time, or when it is lost.
 */
public final class Connections implements AutoCloseable {
  private static final String FOREIGN_KEY_VIOLATION = "23503";
  /** Classes of SQLSTATE that speak of the connection or the server and not of the statement: connection, resources, operator intervention. */
  private static final Set<String> UNAVAILABLE_CLASSES = Set.of("08", "53", "57");

  private final Pool pool;

  public Connections(Pool pool) {
    this.pool = pool;
  }

  /** Runs one statement on a connection of its own and gives its rows. */
  public <T> List<T> list(String sql, RowReader<T> reader, Object... values) throws SQLException {
    return holding(connection -> list(connection, sql, reader, values));
  }

  /** The first row of one statement, or null. */
  public <T> T first(String sql, RowReader<T> reader, Object... values) throws SQLException {
    List<T> rows = list(sql, reader, values);
    return rows.isEmpty() ? null : rows.get(0);
  }

  /** Runs one statement on a connection that is held already. */
  public static <T> List<T> list(Connection connection, String sql, RowReader<T> reader, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        if (values[i] instanceof Integer number) statement.setInt(i + 1, number);
        else if (values[i] instanceof byte[] bytes) statement.setBytes(i + 1, bytes);
        else statement.setString(i + 1, (String) values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        List<T> list = new ArrayList<>();
        while (rows.next()) list.add(reader.read(rows));
        return list;
      }
    }
  }

  /** Holds one connection while something is done on it. */
  public <T> T holding(Work<T> work) throws SQLException {
    Timing timing = Timing.current();
    try {
      return timing == null ? holdUnmeasured(work) : holdMeasured(work, timing);
    } catch (SQLException e) {
      throw classified(e);
    }
  }

  private <T> T holdUnmeasured(Work<T> work) throws SQLException {
    Connection connection = pool.borrow();
    try {
      return work.on(connection);
    } finally {
      pool.giveBack(connection);
    }
  }

  private <T> T holdMeasured(Work<T> work, Timing timing) throws SQLException {
    long askedAt = System.nanoTime();
    Connection connection;
    try {
      connection = pool.borrow();
    } finally {
      timing.addPoolWait(System.nanoTime() - askedAt);
    }
    long heldSince = System.nanoTime();
    try {
      return work.on(connection);
    } finally {
      pool.giveBack(connection);
      timing.addHold(System.nanoTime() - heldSince);
    }
  }

  @Override
  public void close() {
    pool.close();
  }

  private static SQLException classified(SQLException e) {
    if (e instanceof Unavailable) return e;
    String state = e.getSQLState();
    if (FOREIGN_KEY_VIOLATION.equals(state)) return new UnknownReference(e);
    // An error without SQLSTATE comes from the pool or the connection.
    boolean lost = state == null || UNAVAILABLE_CLASSES.contains(state.substring(0, 2));
    return lost || e instanceof SQLTransientConnectionException ? new Unavailable(e) : e;
  }

  /** Makes a value of the current row of a result. */
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** What is done on a connection. */
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** No connection could be had in time, or it was lost: the caller may try again later. */
  public static final class Unavailable extends SQLException {
    private static final long serialVersionUID = 1;

    Unavailable(SQLException cause) {
      // the pool says that it has waited; its cause says for what
      super(cause.getCause() == null ? cause.getMessage() : cause.getMessage() + " " + cause.getCause().getMessage(), cause);
    }
  }

  /** A row that another row names does not exist. */
  public static final class UnknownReference extends SQLException {
    private static final long serialVersionUID = 1;

    UnknownReference(SQLException cause) {
      super(cause.getMessage(), cause);
    }
  }
}
