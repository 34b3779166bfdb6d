import { describe, expect, it } from 'vitest';
import { readCollapsed } from '../../../src/engine/calltree/readCollapsed.ts';
import { stackRoles, withRoles } from '../../../src/calltree/stackRoles.ts';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { writeSvg } from '../../../src/engine/calltree/writeSvg.ts';
import { chooseEvent } from '../../../src/calltree/totals.ts';
import { nodeRoles } from '../../../src/model/callTree.ts';

/** The stack's frames from the first that waits on, and the role they have; one stack per line. */
function roleOf(stack: string): string {
  const tree = readCollapsed(new TextEncoder().encode(`${stack} 1\n`));
  const role = stackRoles(tree);
  const first = role === undefined ? -1 : role.findIndex((one) => one !== 0);
  if (role === undefined || first === -1) return 'none';
  expect(new Set(role.subarray(first)).size).toBe(1);
  return `${nodeRoles[role[first] ?? 0] ?? ''} from ${tree.functions.name[tree.func[first] ?? 0] ?? ''}`;
}

const worker = 'java.lang.Thread.run;org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run';
const app = `${worker};org.eclipse.jetty.server.Server.handle;bulletin.Routes.ad;bulletin.Database.ad`;
const park = 'java.util.concurrent.locks.LockSupport.parkNanos;jdk.internal.misc.Unsafe.park';
const read = 'java.net.Socket$SocketInputStream.read;sun.nio.ch.NioSocketImpl.read;sun.nio.ch.NioSocketImpl.park;sun.nio.ch.Net.poll';

describe('a stack waits', () => {
  it.each([
    [
      'for a connection of HikariCP',
      `${app};com.zaxxer.hikari.pool.HikariPool.getConnection;com.zaxxer.hikari.util.ConcurrentBag.borrow;java.util.concurrent.SynchronousQueue.poll;${park}`,
      'poolWait from com.zaxxer.hikari.util.ConcurrentBag.borrow',
    ],
    [
      'for one of HikariCP, as async-profiler writes names',
      'java/lang/Thread.run_[j];com/zaxxer/hikari/pool/HikariPool.getConnection_[j];com/zaxxer/hikari/util/ConcurrentBag.borrow_[0];jdk/internal/misc/Unsafe.park_[0];__futex_abstimed_wait_common;do_futex_[k]',
      'poolWait from com/zaxxer/hikari/util/ConcurrentBag.borrow',
    ],
    [
      'for one of commons-pool2',
      `${app};org.apache.commons.pool2.impl.GenericObjectPool.borrowObject;org.apache.commons.pool2.impl.LinkedBlockingDeque.pollFirst;${park}`,
      'poolWait from org.apache.commons.pool2.impl.LinkedBlockingDeque.pollFirst',
    ],
    [
      'for one of Tomcat',
      `${app};org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection;org.apache.tomcat.jdbc.pool.FairBlockingQueue.poll;java.util.concurrent.CountDownLatch.await;${park}`,
      'poolWait from org.apache.tomcat.jdbc.pool.FairBlockingQueue.poll',
    ],
    [
      'as the first thread of a server does for its end',
      `bulletin.Main.main;java.util.concurrent.CountDownLatch.await;${park}`,
      'idle from java.util.concurrent.CountDownLatch.await',
    ],
    [
      'as the one of Quarkus does below its launcher',
      `io.quarkus.bootstrap.runner.QuarkusEntryPoint.main;io.quarkus.runtime.Quarkus.run;io.quarkus.runtime.ApplicationLifecycleManager.run;io.quarkus.runtime.ApplicationLifecycleManager.waitForExit;java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await;${park}`,
      'idle from java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await',
    ],
    [
      'as the one of a gRPC server does',
      `shop.Main.main;shop.Grpc.serve;io.grpc.internal.ServerImpl.awaitTermination;java.lang.Object.wait;java.lang.Object.wait0`,
      'idle from java.lang.Object.wait',
    ],
    [
      'but not where a thread that serves requests waits for a program to exit',
      `${app};shop.Convert.waitForExit;java.util.concurrent.CountDownLatch.await;${park}`,
      'otherWait from java.util.concurrent.CountDownLatch.await',
    ],
    [
      'but not where the main thread waits in code of its own',
      `bulletin.Main.main;bulletin.Import.run;java.util.concurrent.CountDownLatch.await;${park}`,
      'otherWait from java.util.concurrent.CountDownLatch.await',
    ],
    [
      'as the thread of Benchside’s probe does for its next command',
      'java.lang.Thread.run;benchside.probe.wire.Session.readCommands;sun.nio.ch.SocketChannelImpl.read;sun.nio.ch.Net.poll',
      'idle from sun.nio.ch.SocketChannelImpl.read',
    ],
    [
      'as the JVM’s own threads do, by the names of their libc',
      'clone3;start_thread;AttachListener::thread_entry;__GI_accept',
      'idle from __GI_accept',
    ],
    ['for the pg pool', 'server.get;[pool wait]', 'poolWait from [pool wait]'],
    ['for the database, in Node', 'server.get;[query]', 'databaseWait from [query]'],
    [
      'for PostgreSQL',
      `${app};org.postgresql.core.v3.QueryExecutorImpl.processResults;org.postgresql.core.PGStream.receiveChar;org.postgresql.core.VisibleBufferedInputStream.readMore;${read}`,
      'databaseWait from org.postgresql.core.VisibleBufferedInputStream.readMore',
    ],
    [
      'for another database',
      `${app};com.mysql.cj.protocol.ReadAheadInputStream.read;${read}`,
      'databaseWait from java.net.Socket$SocketInputStream.read',
    ],
    ['for a socket of something else', `${app};bulletin.Mail.send;${read}`, 'otherWait from java.net.Socket$SocketInputStream.read'],
    [
      'to make a connection for the pool, which is no wait for the pool',
      `${app};org.apache.commons.pool2.impl.GenericObjectPool.borrowObject;org.postgresql.Driver.connect;${read}`,
      'databaseWait from java.net.Socket$SocketInputStream.read',
    ],
    [
      'for a lock',
      `${app};java.util.concurrent.locks.ReentrantLock.lock;java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire;${park}`,
      'lockWait from java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire',
    ],
    ['for a monitor', `${app};ObjectMonitor::enter(JavaThread*);pthread_cond_wait`, 'lockWait from ObjectMonitor::enter(JavaThread*)'],
    [
      'for another thread, by way of a lock',
      `${app};java.util.concurrent.CountDownLatch.await;java.util.concurrent.locks.AbstractQueuedSynchronizer.acquireSharedInterruptibly;${park}`,
      'otherWait from java.util.concurrent.CountDownLatch.await',
    ],
    ['because it sleeps', `${app};java.lang.Thread.sleep;java.lang.Thread.sleep0`, 'otherWait from java.lang.Thread.sleep'],
    [
      'for work, in Jetty',
      `${worker};org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll;org.eclipse.jetty.util.BlockingArrayQueue.poll;${park}`,
      'idle from org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll',
    ],
    [
      'for a connection to accept or read, in Jetty',
      `${worker};org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select;sun.nio.ch.SelectorImpl.select;sun.nio.ch.EPoll.wait;epoll_wait`,
      'idle from org.eclipse.jetty.io.ManagedSelector$SelectorProducer.select',
    ],
    [
      'for work, in a pool of threads',
      `java.lang.Thread.run;java.util.concurrent.ThreadPoolExecutor$Worker.run;java.util.concurrent.ThreadPoolExecutor.getTask;org.apache.tomcat.util.threads.TaskQueue.take;${park}`,
      'idle from java.util.concurrent.ThreadPoolExecutor.getTask',
    ],
    [
      'for work, as a carrier of virtual threads',
      `java.util.concurrent.ForkJoinPool.runWorker;java.util.concurrent.ForkJoinPool.awaitWork;${park}`,
      'idle from java.util.concurrent.ForkJoinPool.awaitWork',
    ],
    [
      'for nothing, as the collector does',
      'start_thread;thread_native_entry(Thread*);Thread::call_run();WorkerThread::run();pthread_cond_wait;do_futex_[k]',
      'idle from pthread_cond_wait',
    ],
    ['for nothing, as V8 says', '(root);(idle)', 'idle from (idle)'],
  ])('%s', (_name, stack, expected) => {
    expect(roleOf(stack)).toBe(expected);
  });

  it.each([
    ['computes', `${app};java.util.HashMap.get`],
    ['is in the kernel', `${app};write;ksys_write_[k]`],
    ['sends a query', `${app};org.postgresql.core.PGStream.flush;sun.nio.ch.NioSocketImpl.write`],
    ['has a name that only looks like one', 'borrow;getTask;__proto__;constructor;x.ConcurrentBag.borrow'],
    ['has a name of a hundred thousand characters', `a.${'b'.repeat(60_000)}`],
  ])('not where it %s', (_name, stack) => {
    expect(roleOf(stack)).toBe('none');
  });

  it('where a recorder measured nothing but waits, whatever the frames are', () => {
    const builder = new CallTreeBuilder([
      { name: 'cpu', unit: 'ns' },
      { name: 'poolWait', unit: 'ns' },
    ]);
    const get = builder.stack([{ func: builder.func('bulletin.Database.ad', '', 0, 'app'), line: 3 }]);
    const traced = builder.child(get, builder.func('com.zaxxer.hikari.HikariDataSource.getConnection', '', 0, 'dependency'));
    builder.add(get, 0, 5);
    builder.add(traced, 1, 9);
    expect(Array.from(stackRoles(builder.build()) ?? [], (role) => nodeRoles[role])).toEqual(['none', 'none', 'poolWait']);
    builder.add(traced, 0, 1);
    expect(stackRoles(builder.build())).toBeUndefined();
  });

  it('which is a colour of its own in the picture', () => {
    const tree = withRoles(
      readCollapsed(
        new TextEncoder().encode(`${app};com.zaxxer.hikari.util.ConcurrentBag.borrow;${park} 9\n${app};bulletin.Json.write 1\n`),
      ),
    );
    // Three frames and the legend.
    const svg = writeSvg(tree, chooseEvent(tree, null), 'x');
    expect(svg.match(/<rect class="poolWait" x="[\d.]+" y="\d+" width="[\d.]+"/g)).toHaveLength(4);
    expect(svg).toContain('waiting for the pool</text>');
  });
});
