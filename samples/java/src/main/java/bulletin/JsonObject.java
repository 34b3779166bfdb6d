package bulletin;

/** Something that is sent to clients as a JSON object. */
interface JsonObject {
  /** Appends the object to a document; the order of the keys is part of the interface. */
  void appendTo(StringBuilder json);
}
