package bulletin;

/** A setting that cannot be used. The message is one line for the person who starts the service. */
public final class ConfigurationException extends Exception {
  private static final long serialVersionUID = 1;

  public ConfigurationException(String message) {
    super(message);
  }
}
