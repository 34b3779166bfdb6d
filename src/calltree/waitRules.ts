/** What the name of a function says about waiting. What a wait is for depends on its callers too: see `stackRoles.ts`. */
export const waitRules = [
  'none',
  /** A worker that waits for work, whatever calls it. */
  'idle',
  'poolWait',
  'databaseWait',
  'lockWait',
  /** A wait that nothing says more of: park, sleep, Object.wait. */
  'wait',
  /** Waits for something other than a lock, though it waits by way of one. */
  'signalWait',
  /** Reads a socket: for the database below a driver, else for anything. */
  'socketWait',
  /** A system call or a native primitive that waits: a thread without Java code that does is idle. */
  'nativeWait',
  /** No wait, but what is below it belongs to a database driver. */
  'databaseDriver',
  /** No wait, but a wait right below it is one for the pool. */
  'poolBorrow',
  /** No wait, but a thread of Benchside's own probe, which waits for its next command. */
  'ownThread',
  /** Java or JavaScript code. */
  'managed',
] as const;
export type WaitRule = (typeof waitRules)[number];

const exact = new Map<string, WaitRule>();
const rule = (role: WaitRule, names: string): void => {
  for (const name of names.trim().split(/\s+/)) exact.set(name, role);
};

rule(
  'idle',
  `
  org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll
  org.eclipse.jetty.util.thread.QueuedThreadPool.idleJobPoll
  org.eclipse.jetty.util.thread.QueuedThreadPool.join
  org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.waitForTask
  org.eclipse.jetty.util.thread.ReservedThreadExecutor$ReservedThread.reservedWait
  org.eclipse.jetty.io.ManagedSelector.select
  org.eclipse.jetty.io.ManagedSelector.nioSelect
  org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select
  org.eclipse.jetty.server.ServerConnector.accept
  org.apache.tomcat.util.threads.TaskQueue.take
  org.apache.tomcat.util.threads.TaskQueue.poll
  org.apache.tomcat.util.threads.ThreadPoolExecutor.getTask
  org.apache.tomcat.util.net.NioEndpoint.serverSocketAccept
  org.apache.catalina.core.StandardServer.await
  org.jboss.threads.EnhancedQueueExecutor$PoolThreadNode.park
  io.netty.channel.nio.NioEventLoop.select
  io.netty.channel.nio.NioIoHandler.select
  io.netty.channel.epoll.EpollEventLoop.epollWait
  io.netty.channel.epoll.EpollIoHandler.epollWait
  io.netty.util.concurrent.SingleThreadEventExecutor.takeTask
  java.util.concurrent.ThreadPoolExecutor.getTask
  java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take
  java.util.concurrent.ForkJoinPool.awaitWork
  java.util.concurrent.ForkJoinPool.idleAwaitWork
  java.util.TimerThread.mainLoop
  java.lang.ref.Reference.waitForReferencePendingList
  java.lang.ref.ReferenceQueue.remove
  java.lang.ref.ReferenceQueue.remove0
  java.lang.ref.NativeReferenceQueue.remove
  jdk.internal.misc.Signal.findSignal0
  sun.misc.Signal.findSignal
  sun.nio.ch.ServerSocketChannelImpl.accept
  sun.nio.ch.NioSocketImpl.accept
  java.net.ServerSocket.accept
  sun.nio.ch.EPollPoller.poll
  sun.nio.ch.KQueuePoller.poll
  sun.nio.ch.Poller.pollerLoop
  jdk.internal.net.http.HttpClientImpl$SelectorManager.run
  (idle)
  `,
);
rule(
  'poolWait',
  `
  com.zaxxer.hikari.util.ConcurrentBag.borrow
  org.apache.tomcat.jdbc.pool.FairBlockingQueue.poll
  org.apache.tomcat.jdbc.pool.MultiLockFairBlockingQueue.poll
  org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst
  org.apache.commons.pool2.impl.LinkedBlockingDeque.pollFirst
  com.mchange.v2.resourcepool.BasicResourcePool.awaitAvailable
  com.alibaba.druid.pool.DruidDataSource.takeLast
  com.alibaba.druid.pool.DruidDataSource.pollLast
  `,
);
rule(
  'databaseWait',
  `
  org.postgresql.core.VisibleBufferedInputStream.readMore
  [query]
  `,
);
rule(
  'poolBorrow',
  `
  org.apache.commons.pool2.impl.GenericObjectPool.borrowObject
  org.apache.commons.pool2.impl.GenericKeyedObjectPool.borrowObject
  org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection
  `,
);
rule(
  'signalWait',
  `
  java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await
  java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.awaitNanos
  java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.awaitUntil
  java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.awaitUninterruptibly
  java.util.concurrent.CountDownLatch.await
  java.util.concurrent.CyclicBarrier.dowait
  java.util.concurrent.CompletableFuture.waitingGet
  java.util.concurrent.CompletableFuture.timedGet
  java.util.concurrent.FutureTask.awaitDone
  java.util.concurrent.ForkJoinTask.awaitDone
  java.util.concurrent.SynchronousQueue.take
  java.util.concurrent.SynchronousQueue.poll
  java.lang.ProcessImpl.waitFor
  `,
);
rule(
  'wait',
  `
  jdk.internal.misc.Unsafe.park
  sun.misc.Unsafe.park
  java.util.concurrent.locks.LockSupport.park
  java.util.concurrent.locks.LockSupport.parkNanos
  java.util.concurrent.locks.LockSupport.parkUntil
  java.lang.VirtualThread.park
  java.lang.VirtualThread.parkNanos
  java.lang.Thread.sleep
  java.lang.Thread.sleep0
  java.lang.Thread.sleepNanos
  java.lang.Thread.join
  java.lang.Object.wait
  java.lang.Object.wait0
  sun.nio.ch.SelectorImpl.select
  sun.nio.ch.SelectorImpl.lockAndDoSelect
  sun.nio.ch.EPoll.wait
  `,
);
rule(
  'socketWait',
  `
  java.net.Socket$SocketInputStream.read
  java.net.SocketInputStream.read
  java.net.SocketInputStream.socketRead0
  sun.nio.ch.NioSocketImpl.read
  sun.nio.ch.NioSocketImpl.implRead
  sun.nio.ch.NioSocketImpl.park
  sun.nio.ch.Net.poll
  sun.nio.ch.SocketChannelImpl.read
  sun.nio.ch.SocketChannelImpl.blockingRead
  sun.security.ssl.SSLSocketImpl$AppInputStream.read
  `,
);

exact.set('[pool wait]', 'poolWait');

const lockWait =
  /^java\.util\.concurrent\.locks\.(?:AbstractQueued(?:Long)?Synchronizer\.(?:acquire|tryAcquire(?:Shared)?Nanos|doAcquire|parkAndCheckInterrupt)|StampedLock\.acquire)|^(?:Object(?:Monitor|Synchronizer)::(?:enter|fast_enter|slow_enter|quick_enter)|SharedRuntime::(?:complete_monitor_locking_C|monitor_enter_helper)|InterpreterRuntime::monitorenter|Runtime1::monitorenter|JVMCIRuntime::monitorenter)/;
const nativeWait =
  /^(?:_{0,2}(?:GI_)?(?:pthread_(?:cond_(?:timed)?wait|cond_clockwait|mutex_lock)|futex_\w+|lll_lock_wait\w*|sem_(?:timed|clock)?wait\w*|new_sem_wait\w*|epoll_p?wait2?|p?poll|select|(?:clock_)?nanosleep|sigwait\w*|ulock_wait|psynch_cvwait|semaphore_wait_trap|sigtimedwait|accept4?)|_?_?futex_abstimed_wait\w*|do_futex|futex_wait\w*|do_epoll_wait|(?:Posix|Platform)(?:Semaphore|Monitor)::\w*wait\w*|(?:os::)?Platform(?:Monitor|Event|Mutex)::(?:wait|park|park_nanos|lock)|PosixSemaphore::\w*wait|Semaphore::wait|Monitor::(?:wait|wait_without_safepoint_check)|os::naked_short_\w*sleep)(?:\W|$)/;
const nativeRead =
  /^(?:_{0,2}(?:GI_)?(?:libc_)?(?:recv(?:from|msg)?|read|readv)|tcp_recvmsg|sock_recvmsg|NET_(?:Read|Timeout\w*|ReadWithTimeout)|Java_java_net_SocketInputStream_\w+|Java_sun_nio_ch_\w*(?:read0|poll))(?:\W|$)/;
const driver =
  /^(?:org\.postgresql|com\.mysql|org\.mariadb\.jdbc|oracle\.(?:jdbc|net)|com\.microsoft\.sqlserver\.jdbc|com\.ibm\.db2|net\.sourceforge\.jtds|org\.sqlite|com\.clickhouse)\./;
/** Every thread of the probe runs below this class. */
const ownThread = /^benchside\.probe\.(?:ProbeThread|wire\.Session)\./;
const managedName = /^[\p{L}\p{N}_$]+(?:\.[\p{L}\p{N}_$<>]+)+$/u;
const longest = 1024;

/** The rule for a function by its name, with dots or slashes between packages. `hasFile`: its source file is known. */
export function waitRule(name: string, hasFile: boolean): WaitRule {
  if (name.length > longest) return 'none';
  const dotted = name.includes('/') ? name.replaceAll('/', '.') : name;
  const known = exact.get(dotted);
  if (known !== undefined) return known;
  if (lockWait.test(dotted)) return 'lockWait';
  if (ownThread.test(dotted)) return 'ownThread';
  if (driver.test(dotted)) return 'databaseDriver';
  if (nativeWait.test(dotted)) return 'nativeWait';
  if (nativeRead.test(dotted)) return 'socketWait';
  return hasFile || (managedName.test(dotted) && !/\.so(?:\.|$)/.test(dotted)) ? 'managed' : 'none';
}
