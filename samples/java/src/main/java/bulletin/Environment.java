package bulletin;

import bulletin.http.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Environment variables as settings; a variable that is not set or is empty takes its default. */
public record Environment(Map<String, String> variables) {
  public String text(String name, String preset) {
    String value = variables.get(name);
    return value == null || value.isEmpty() ? preset : value;
  }

  public int integer(String name, int preset, int min, int max) throws ConfigurationException {
    String text = text(name, null);
    if (text == null) return preset;
    if (text.matches("[0-9]{1,9}")) {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) return value;
    }
    throw new ConfigurationException(name + " must be a whole number from " + min + " to " + max + ", but it is " + Json.quote(text) + ".");
  }

  /** One of some words; the first is the default. */
  public String choice(String name, String... words) throws ConfigurationException {
    String text = text(name, words[0]);
    List<String> all = Arrays.asList(words);
    if (all.contains(text)) return text;
    String last = words[words.length - 1];
    String others = String.join(", ", all.subList(0, words.length - 1));
    throw new ConfigurationException(name + " must be " + others + " or " + last + ", but it is " + Json.quote(text) + ".");
  }
}
