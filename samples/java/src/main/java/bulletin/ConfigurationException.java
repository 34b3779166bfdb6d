package bulletin;

/** A setting that cannot be used. The message is one line for the person who starts the service. */
final class ConfigurationException extends Exception {
  private static final long serialVersionUID = 1;

  ConfigurationException(String message) {
    super(message);
  }
}
