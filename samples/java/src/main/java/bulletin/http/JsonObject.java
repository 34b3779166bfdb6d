package bulletin.http;

/** Something that is sent to clients as a JSON object. */
public interface JsonObject {
  /** Appends the object to a document; the order of the keys is part of the interface. */
  void appendTo(StringBuilder json);
}
