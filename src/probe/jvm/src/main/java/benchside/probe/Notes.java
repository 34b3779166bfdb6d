package benchside.probe;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Sentences on what the probe could not see or do; each once, at most 50. */
public final class Notes {
  private static final int MOST = 50;
  private static final int LONGEST = 400;
  private static final Set<String> sentences = new LinkedHashSet<>();

  private Notes() {}

  public static synchronized void add(String sentence) {
    String cut = sentence.length() > LONGEST ? sentence.substring(0, LONGEST) : sentence;
    if (sentences.size() < MOST) sentences.add(cut);
  }

  public static synchronized List<String> all() {
    return List.copyOf(sentences);
  }
}
