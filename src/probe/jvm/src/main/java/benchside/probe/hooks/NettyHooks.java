package benchside.probe.hooks;

import benchside.probe.threads.LoopTime;

/** What event loops of Netty call, before and after they wait for something to do. As {@link Hooks} says. */
public final class NettyHooks {
  private NettyHooks() {}

  public static void idles(Object loop) {
    if (!Hooks.isOff()) LoopTime.ofThisThread().idles();
  }

  public static void works(Object loop) {
    LoopTime.ofThisThread().works();
  }
}
