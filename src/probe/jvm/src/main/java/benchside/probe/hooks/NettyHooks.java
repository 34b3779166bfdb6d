package benchside.probe.hooks;

import benchside.probe.threads.LoopTime;

/** What event loops of Netty call, before and after they wait for something to do. As {@link Hooks} says. */
public final class NettyHooks {
  private NettyHooks() {}

  public static void idles(Object loop) {
    if (Hooks.isOff()) return;
    try {
      LoopTime.ofThisThread().idles();
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }

  public static void works(Object loop) {
    try {
      LoopTime.ofThisThread().works();
    } catch (Throwable thrown) {
      Hooks.failed(thrown);
    }
  }
}
