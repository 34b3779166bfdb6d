package bulletin.limits;

/** Work for the CPU of a fixed amount: what varies is how long it takes. */
final class Computation {
  private static final int ITERATIONS_PER_MS = 100_000;
  private static final int SEED = 20_260_101;
  /**
   * Not final: were these constants, the compiler would fold sixteen steps and more into one, and the amount of work would depend on how
   * well it does that.
   */
  private static int multiplier = 1_664_525;

  private static int increment = 1_013_904_223;

  private Computation() {}

  /** Runs a linear congruential generator (Numerical Recipes) and gives its last number, from 0 to 2^32 − 1. */
  static long computeHash(int ms) {
    int a = multiplier;
    int c = increment;
    int x = SEED;
    for (int left = ms * ITERATIONS_PER_MS; left > 0; left--) x = x * a + c;
    return Integer.toUnsignedLong(x);
  }

  /** Keeps the CPU busy until the clock says that the time is over. */
  static void computeFor(int ms) {
    long until = System.nanoTime() + ms * 1_000_000L;
    while (System.nanoTime() - until < 0);
  }
}
