package bulletin.search;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The text that is searched: the same bytes in every implementation of the service. */
final class SearchText {
  private static final int LENGTH_BYTES = 4 * 1024 * 1024;
  private static final int WORDS_PER_LINE = 12;
  private static final int SEED = 20_260_101;

  /** Made when it is first needed. */
  private static final class Holder {
    static final String TEXT = generateText(vocabulary());
  }

  private SearchText() {}

  /** ASCII only, so that a position is the offset of a byte as well. */
  static String get() {
    return Holder.TEXT;
  }

  /** Words picked by a linear congruential generator (Numerical Recipes), in lines. */
  private static String generateText(List<String> vocabulary) {
    StringBuilder text = new StringBuilder(LENGTH_BYTES + 16);
    int x = SEED;
    for (int word = 0; text.length() < LENGTH_BYTES; word++) {
      if (word > 0) text.append(word % WORDS_PER_LINE == 0 ? '\n' : ' ');
      x = x * 1_664_525 + 1_013_904_223;
      text.append(vocabulary.get((x >>> 16) % vocabulary.size()));
    }
    return text.substring(0, LENGTH_BYTES);
  }

  private static List<String> vocabulary() {
    try (InputStream words = SearchText.class.getResourceAsStream("/words.txt")) {
      return new String(words.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    } catch (IOException e) {
      throw new IllegalStateException("the words of the text cannot be read", e);
    }
  }
}
