package bulletin.reviews;

import bulletin.database.Connections;
import bulletin.http.Answer;
import bulletin.http.JsonBody;
import bulletin.http.Query;
import bulletin.http.Reply;
import bulletin.http.RequestException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.eclipse.jetty.server.Request;

/** Reviews: new ones are written, and the newest are read. */
public final class Reviews {
  private static final int MAX_RATING = 5;
  private static final int MAX_TEXT_LENGTH = 2000;
  private static final int MAX_LISTED = 100;

  private static final String NEWEST_REVIEWS = """
      SELECT id, rating, text, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
      FROM reviews
      ORDER BY id DESC
      LIMIT ?""";

  private static final String INSERT_REVIEW = """
      INSERT INTO reviews (rating, text)
      VALUES (?, ?)
      RETURNING id, rating, text, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "createdAt"
      """;

  private final Connections connections;

  public Reviews(Connections connections) {
    this.connections = connections;
  }

  /** Answers GET /reviews. */
  public Reply list(Request request, String segment) throws RequestException, SQLException {
    int limit = Query.numberIn(request, "limit", 1, MAX_LISTED, 10);
    return Answer.json(200, connections.list(NEWEST_REVIEWS, Reviews::review, limit));
  }

  /** Answers POST /reviews. */
  public Reply post(Request request, String segment) throws RequestException, SQLException {
    JsonBody body = JsonBody.read(request);
    int rating = body.integerIn("rating", 1, MAX_RATING);
    String text = body.textIn("text", 1, MAX_TEXT_LENGTH);
    Review review = connections.first(INSERT_REVIEW, Reviews::review, rating, text);
    return Answer.json(201, review, Map.of("Location", "/reviews/" + review.id()));
  }

  private static Review review(ResultSet row) throws SQLException {
    return new Review(row.getInt(1), row.getInt(2), row.getString(3), row.getString(4));
  }
}
