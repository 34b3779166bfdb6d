import { describe, expect, it } from 'vitest';
import { profileNoteText } from '../../../src/model/domain/profileNoteKinds.ts';
import { readCollapsed } from '../../../src/engine/calltree/readCollapsed.ts';
import { stackRoles, withRoles } from '../../../src/calltree/stackRoles.ts';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { writeSvg } from '../../../src/engine/calltree/writeSvg.ts';
import { chooseEvent } from '../../../src/calltree/totals.ts';
import { classifyJava } from '../../../src/calltree/frameKind.ts';
import { remarkNotes } from '../../../src/calltree/treeRemarks.ts';
import { nodeRoles } from '../../../src/model/domain/callTree.ts';

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
      'as the thread of Benchside’s probe does for its next command',
      'java.lang.Thread.run;benchside.probe.wire.Session.readCommands;sun.nio.ch.SocketChannelImpl.read;sun.nio.ch.Net.poll',
      'idle from sun.nio.ch.SocketChannelImpl.read',
    ],
    [
      'as a thread of the probe does that watches for pauses',
      'java.lang.Thread.run;benchside.probe.ProbeThread.quietly;benchside.probe.report.Pauses.watch;java.util.concurrent.locks.LockSupport.parkNanos',
      'idle from java.util.concurrent.locks.LockSupport.parkNanos',
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

  describe('from the begin to the end of a recording', () => {
    const wait = `java.util.concurrent.CountDownLatch.await;${park}`;
    const untilExit = `io.quarkus.runner.Main.main;io.quarkus.runtime.ApplicationLifecycleManager.waitForExit;${wait}`;
    const request = `${app};bulletin.Json.write`;

    /** Stacks of threads by their names, one for each 50 ms of wall time; what the threads' last stacks are called, and the remarks. */
    function told(stacks: Record<string, readonly string[]>): { roles: Record<string, string>; remarks: string[] } {
      const builder = new CallTreeBuilder([{ name: 'wall', unit: 'ns' }]);
      const nodes: Record<string, string> = {};
      for (const [thread, seen] of Object.entries(stacks))
        for (const [index, stack] of seen.entries()) {
          const frames = stack.split(';').map((name) => ({ func: builder.func(name, '', 0, classifyJava(name)), line: 0 }));
          builder.sample(50_000 * index, builder.stack(frames), builder.thread(thread), 0, 50e6);
          nodes[thread] = stack;
        }
      const tree = withRoles(builder.build());
      const roleOfStack = (stack: string): string => {
        const names = stack.split(';');
        const node = [...tree.func.keys()].find((one) => {
          const path: string[] = [];
          for (let at = one; at > 0; at = tree.parent[at] as number) path.unshift(tree.functions.name[tree.func[at] as number] ?? '');
          return path.join(';') === names.join(';');
        });
        return nodeRoles[tree.role?.[node ?? 0] ?? 0] ?? '';
      };
      return {
        roles: Object.fromEntries(Object.entries(nodes).map(([thread, stack]) => [thread, roleOfStack(stack)])),
        remarks: remarkNotes(tree).map(profileNoteText),
      };
    }
    const always = (stack: string): string[] => new Array<string>(100).fill(stack);

    it('is no wait of what was answered meanwhile: whoever waits for the end of the program, or for work that does not come, is idle', () => {
      const mailer = `java.lang.Thread.run;shop.Mailer.run;${wait}`;
      const { roles, remarks } = told({
        main: always(untilExit),
        'mailer-1': always(mailer),
        'mailer-2': always(mailer),
        http: always(request),
      });
      expect(roles).toEqual({ main: 'idle', 'mailer-1': 'idle', 'mailer-2': 'idle', http: 'none' });
      expect(remarks).toEqual([
        'The thread “main” waited in ApplicationLifecycleManager.waitForExit from the begin to the end of the recording, so that nothing that was answered meanwhile waited for that: told as idle.',
        '2 threads, such as “mailer-1”, waited in Mailer.run from the begin to the end of the recording, so that nothing that was answered meanwhile waited for that: told as idle.',
      ]);
    });

    it.each<[string, Record<string, readonly string[]>, string]>([
      ['it went on once', { main: [...always(untilExit), request, untilExit], http: always(request) }, 'otherWait'],
      ['others come and go by it', { main: always(untilExit), http: [...always(request), untilExit, request] }, 'otherWait'],
      ['nobody did anything meanwhile', { main: always(untilExit), other: always(`java.lang.Thread.run;${wait}`) }, 'otherWait'],
      ['it was seen for a part of the time only', { main: always(untilExit).slice(0, 80), http: always(request) }, 'otherWait'],
      ['the recording is shorter than requests may be', { main: [untilExit, untilExit], http: [request, request] }, 'otherWait'],
      [
        'it waits for a connection, which may have been lost',
        { main: always(`${app};com.zaxxer.hikari.util.ConcurrentBag.borrow;${park}`), http: always(request) },
        'poolWait',
      ],
      [
        'it waits for a lock, which nobody may give back',
        { main: always(`${app};java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire;${park}`), http: always(request) },
        'lockWait',
      ],
    ])('is a wait where %s', (_name, stacks, role) => {
      const { roles, remarks } = told(stacks);
      expect(roles['main']).toBe(role);
      expect(remarks).toEqual([]);
    });
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
