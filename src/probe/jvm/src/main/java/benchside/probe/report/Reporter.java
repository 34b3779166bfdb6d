package benchside.probe.report;

import benchside.probe.Notes;
import benchside.probe.look.AppLook;
import benchside.probe.pools.ConnectionPool;
import benchside.probe.pools.PoolRegistry;
import benchside.probe.threads.ThreadPool;
import benchside.probe.threads.ThreadWalk;
import benchside.probe.wire.JsonWriter;

/** Composes a report. Costs well below a millisecond, most of it for reading the threads. */
public final class Reporter {
  private static final int MOST_POOLS = 200;
  /** Not more often, however many ask. */
  private static final long WALK_EVERY_NS = 20_000_000L;
  private static final long startNs = System.nanoTime();
  private static GarbageCollection collections;
  private static Warming warming;
  private static StartedThreads started;
  private static boolean looked;
  private static long walkedNs;
  private static int threads;

  private Reporter() {}

  /** @param answer the id of the question that it answers, or null */
  public static synchronized String report(Long answer) {
    look();
    JsonWriter json = new JsonWriter().openObject(null).text("type", "report").number("answer", answer);
    json.openObject("report").number("timeUs", (System.nanoTime() - startNs) / 1000);
    json.openArray("pools");
    int written = 0;
    for (ConnectionPool pool : PoolRegistry.pools.all()) if (written++ < MOST_POOLS) pool.write(json);
    json.closeArray().openArray("threadPools");
    written = 0;
    for (ThreadPool pool : ThreadPool.pools.all()) if (written++ < MOST_POOLS) pool.write(json);
    json.closeArray().number("eventLoop", null);
    if (collections == null) json.number("gc", null);
    else collections.write(json);
    Runtime runtime = Runtime.getRuntime();
    Long max = runtime.maxMemory() == Long.MAX_VALUE ? null : runtime.maxMemory();
    long used = runtime.totalMemory() - runtime.freeMemory();
    json.openObject("heap").number("usedBytes", used).number("maxBytes", max);
    json.number("allocatedBytes", collections == null ? null : collections.allocatedOf(used));
    json.number("afterGcBytes", collections == null ? null : collections.usedAfterLast()).closeObject();
    Pauses.write(json);
    if (warming != null) warming.write(json);
    if (started != null) started.write(json);
    json.number("http", null).number("threads", (long) threads);
    if (answer != null && AppLook.isOn()) AppLook.write(json);
    json.openArray("notes");
    for (String note : Notes.all()) json.element(note);
    return json.closeArray().closeObject().closeObject().line();
  }

  /** No client asks any more. */
  public static void stop() {
    Pauses.stop();
  }

  private static void look() {
    Pauses.start();
    if (!looked) {
      looked = true;
      collections = GarbageCollection.find();
      warming = Warming.find();
      started = StartedThreads.find();
    }
    long now = System.nanoTime();
    if (walkedNs != 0 && now - walkedNs < WALK_EVERY_NS) return;
    walkedNs = now;
    threads = ThreadWalk.walk();
  }
}
