import { describe, expect, it } from 'vitest';
import { threadDumps } from '../../../src/engine/record/jvm/threadDump.ts';
import { summarizeThreadDump } from '../../../src/engine/record/jvm/threadDumpSummary.ts';

function thread(name: string, state: string, ...lines: string[]): string {
  const body = lines.map((line) => (line.startsWith('-') ? `\t${line}` : `\tat ${line}`)).join('\n');
  return `"${name}" #12 daemon prio=5 os_prio=0 cpu=6.22ms elapsed=1.50s tid=0x00007fdf0c229ba0 nid=0x77e8 in state  [0x00007fdef46fa000]\n   java.lang.Thread.State: ${state}\n${body}\n`;
}

const park = ['jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)', '- parking to wait for  <0x1> (a java.lang.Object)'];
const jettyRun = [
  'org.eclipse.jetty.server.internal.HttpConnection.onFillable(HttpConnection.java:410)',
  'org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run(QueuedThreadPool.java:1311)',
  'java.lang.Thread.run(java.base@17.0.15/Thread.java:840)',
];
const hikari = thread(
  'http-21',
  'TIMED_WAITING (parking)',
  ...park,
  'java.util.concurrent.SynchronousQueue.poll(java.base@17.0.15/SynchronousQueue.java:903)',
  'com.zaxxer.hikari.util.ConcurrentBag.borrow(ConcurrentBag.java:151)',
  'com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:162)',
  'bulletin.Database.similar(Database.java:70)',
  ...jettyRun,
);
const monitor = thread(
  'http-22',
  'BLOCKED (on object monitor)',
  'bulletin.limits.OneAtATime.hold(OneAtATime.java:12)',
  '- waiting to lock <0x00000000ffd34948> (a bulletin.limits.OneAtATime)',
  ...jettyRun,
);
const reading = thread(
  'http-23',
  'RUNNABLE',
  'sun.nio.ch.Net.poll(java.base@17.0.15/Native Method)',
  'sun.nio.ch.NioSocketImpl.park(java.base@17.0.15/NioSocketImpl.java:186)',
  'sun.nio.ch.NioSocketImpl.implRead(java.base@17.0.15/NioSocketImpl.java:309)',
  'java.net.Socket$SocketInputStream.read(java.base@17.0.15/Socket.java:966)',
  'org.postgresql.core.VisibleBufferedInputStream.readMore(VisibleBufferedInputStream.java:192)',
  'bulletin.Database.similar(Database.java:74)',
  ...jettyRun,
);
const sleeping = thread(
  'http-24',
  'TIMED_WAITING (sleeping)',
  'java.lang.Thread.sleep(java.base@17.0.15/Native Method)',
  'bulletin.limits.Waiting$$Lambda$31/0x00007fde980958f0.run(Unknown Source)',
  ...jettyRun,
);
const idle = thread(
  'http-25',
  'TIMED_WAITING (parking)',
  ...park,
  'org.eclipse.jetty.util.BlockingArrayQueue.poll(BlockingArrayQueue.java:219)',
  'org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.idleJobPoll(QueuedThreadPool.java:1254)',
  ...jettyRun.slice(1),
);
const selecting = thread(
  'http-26',
  'RUNNABLE',
  'sun.nio.ch.EPoll.wait(java.base@17.0.15/Native Method)',
  'sun.nio.ch.EPollSelectorImpl.doSelect(java.base@17.0.15/EPollSelectorImpl.java:118)',
  'org.eclipse.jetty.io.ManagedSelector.select(ManagedSelector.java:181)',
);
const pooled = thread(
  'worker-1',
  'WAITING (parking)',
  ...park,
  'org.apache.commons.pool2.impl.LinkedBlockingDeque.takeFirst(LinkedBlockingDeque.java:1324)',
  'org.apache.commons.pool2.impl.GenericObjectPool.borrowObject(GenericObjectPool.java:294)',
  'shop.Orders.open(Orders.java:12)',
);
const futureGet = [
  ...park,
  'java.util.concurrent.CompletableFuture$Signaller.block(java.base@17.0.15/CompletableFuture.java:1864)',
  'java.util.concurrent.ForkJoinPool.managedBlock(java.base@17.0.15/ForkJoinPool.java:3436)',
  'java.util.concurrent.CompletableFuture.waitingGet(java.base@17.0.15/CompletableFuture.java:1898)',
];
const restClient = [
  ...futureGet,
  'org.springframework.http.client.JdkClientHttpRequest.executeInternal(JdkClientHttpRequest.java:113)',
  'org.springframework.web.client.DefaultRestClient$DefaultResponseSpec.body(DefaultRestClient.java:757)',
];
const asking = thread('http-31', 'WAITING (parking)', ...restClient, 'shop.Users.profile(Users.java:14)', ...jettyRun);
const joining = thread(
  'http-32',
  'WAITING (parking)',
  ...futureGet,
  'java.util.concurrent.CompletableFuture.join(java.base@17.0.15/CompletableFuture.java:2117)',
  'shop.Baskets$$Lambda$987/0x00007fb128488000.apply(Unknown Source)',
  'java.util.stream.ReferencePipeline.toList(java.base@17.0.15/ReferencePipeline.java:627)',
  'shop.Baskets.basket(Baskets.java:21)',
  ...jettyRun,
);
const lettingGo = thread(
  'http-33',
  'WAITING (parking)',
  ...park,
  'java.util.concurrent.locks.ReentrantLock$Sync.lock(java.base@17.0.15/ReentrantLock.java:153)',
  'shop.Locks.enter(Locks.java:7)',
  ...jettyRun,
);
const ofExecutor = [
  'java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@17.0.15/ThreadPoolExecutor.java:1136)',
  'java.lang.Thread.run(java.base@17.0.15/Thread.java:840)',
];
const taking = ['java.util.concurrent.ThreadPoolExecutor.getTask(java.base@17.0.15/ThreadPoolExecutor.java:1062)'];
const worker = (number: number): string =>
  thread(
    `prices-${number}`,
    'WAITING (parking)',
    ...restClient,
    'shop.Prices.load(Prices.java:19)',
    'shop.Prices.lambda$of$0(Prices.java:15)',
    ...ofExecutor,
  );
const idleWorker = thread('prices-3', 'WAITING (parking)', ...park, ...taking, ...ofExecutor);
const ofHttpClient = thread('HttpClient-1-Worker-0', 'TIMED_WAITING (parking)', ...park, ...taking, ...ofExecutor);
const ofJvm = '"GC Thread#0" os_prio=0 cpu=2.23ms elapsed=1.60s tid=0x00007fdf0c05ea10 nid=0x77dd runnable  \n';
const housekeeping = thread(
  'Common-Cleaner',
  'TIMED_WAITING (on object monitor)',
  'java.lang.Object.wait(java.base@17.0.15/Native Method)',
);
const prober = thread(
  'benchside session',
  'RUNNABLE',
  'sun.nio.ch.EPoll.wait(java.base@17.0.15/Native Method)',
  'benchside.probe.wire.Session.readCommands(Session.java:98)',
);

describe('a thread dump', () => {
  it('is summed up by what request threads wait for, most frequent first', () => {
    const text = [
      'Full thread dump OpenJDK 64-Bit Server VM',
      '',
      hikari,
      hikari,
      monitor,
      reading,
      sleeping,
      idle,
      selecting,
      prober,
      housekeeping,
      ofJvm,
    ];
    expect(summarizeThreadDump(text.join('\n'))).toEqual({
      threads: 7,
      asking: [{ where: 'Database.similar, Database.java:70', count: 2, isFurther: false }],
      groups: [
        { state: 'TIMED_WAITING', where: 'HikariCP getConnection', count: 2 },
        { state: 'BLOCKED', where: 'monitor of bulletin.limits.OneAtATime at OneAtATime.hold, OneAtATime.java:12', count: 1 },
        { state: 'RUNNABLE', where: 'socket read in Database.similar, Database.java:74', count: 1 },
        { state: 'TIMED_WAITING', where: 'sleep in Waiting.run', count: 1 },
        { state: 'TIMED_WAITING', where: 'idle: waits for work', count: 1 },
        { state: 'RUNNABLE', where: 'idle: waits for connections', count: 1 },
      ],
    });
  });

  it('of an app without a server that is known is that of all threads in its own code', () => {
    expect(summarizeThreadDump([pooled, pooled, housekeeping, prober, ofJvm].join('\n'))).toEqual({
      threads: 2,
      asking: [{ where: 'Orders.open, Orders.java:12', count: 2, isFurther: false }],
      groups: [{ state: 'WAITING', where: 'dbcp2 borrowObject', count: 2 }],
    });
  });

  it('distinguishes the answer of another service and the result of another thread from locks, whatever waits for it', () => {
    const text = [asking, asking, joining, lettingGo].join('\n');
    expect(summarizeThreadDump(text).groups).toEqual([
      { state: 'WAITING', where: 'answer of another service in Users.profile, Users.java:14', count: 2 },
      { state: 'WAITING', where: 'result of another thread in Baskets.basket, Baskets.java:21', count: 1 },
      { state: 'WAITING', where: 'Locks.enter, Locks.java:7', count: 1 },
    ]);
  });

  it('counts the threads of the app’s own executors apart, by name, and not those of the JDK', () => {
    const text = [joining, worker(1), worker(2), idleWorker, ofHttpClient].join('\n');
    expect(summarizeThreadDump(text)).toEqual({
      threads: 1,
      groups: [{ state: 'WAITING', where: 'result of another thread in Baskets.basket, Baskets.java:21', count: 1 }],
      workers: [{ name: 'prices', threads: 3, atWork: 2, waiting: 2, where: 'answer of another service in Prices.load, Prices.java:19' }],
    });
  });

  it('takes no pool that serves requests for an executor besides', () => {
    const serving = thread(
      'pool-1-thread-1',
      'RUNNABLE',
      'shop.Orders.list(Orders.java:9)',
      'sun.net.httpserver.ServerImpl$Exchange.run(jdk.httpserver@17.0.15/ServerImpl.java:713)',
      ...ofExecutor,
    );
    const free = thread('pool-1-thread-2', 'WAITING (parking)', ...park, ...taking, ...ofExecutor);
    expect(summarizeThreadDump([serving, free].join('\n'))).toEqual({
      threads: 1,
      groups: [{ state: 'RUNNABLE', where: 'Orders.list, Orders.java:9', count: 1 }],
    });
  });

  it.each([
    ['a server hands to an executor of its own', 'io.micronaut.web.router.AbstractRouteMatch.execute(AbstractRouteMatch.java:237)'],
    ['an unknown server hands to an executor, where the threads with its name are idle', 'com.acme.server.Dispatch.call(Dispatch.java:7)'],
  ])('is that of the threads that %s', (_what, dispatch) => {
    const loop = thread(
      'nioEventLoopGroup-1-2',
      'RUNNABLE',
      'sun.nio.ch.EPoll.wait(java.base@17.0.15/Native Method)',
      ...ofExecutor.slice(1),
    );
    const waiting = (number: number): string =>
      thread(
        `io-executor-thread-${number}`,
        'WAITING (parking)',
        ...park,
        'java.util.concurrent.CountDownLatch.await(java.base@17.0.15/CountDownLatch.java:230)',
        'io.reactivex.internal.observers.BlockingMultiObserver.blockingGet(BlockingMultiObserver.java:83)',
        'shop.Orders.list(Orders.java:9)',
        dispatch,
        ...ofExecutor,
      );
    const job = thread(
      'jobs-1',
      'TIMED_WAITING (sleeping)',
      'java.lang.Thread.sleep(Native Method)',
      'shop.Jobs.run(Jobs.java:3)',
      ...ofExecutor,
    );
    const { groups, workers } = summarizeThreadDump([loop, waiting(1), waiting(2), job].join('\n'));
    expect(groups).toEqual([
      { state: 'WAITING', where: 'result of another thread in Orders.list, Orders.java:9', count: 2 },
      { state: 'RUNNABLE', where: 'idle: waits for connections', count: 1 },
    ]);
    expect(workers?.map(({ name }) => name)).toEqual(['jobs']);
  });

  it.each(['', 'no dump at all', '"main" #1 prio=5', '"x" #1\n\tat (', '\tat a.b.c(D.java)\n'])('that is %j says nothing', (text) => {
    expect(summarizeThreadDump(text)).toEqual({ threads: 0, groups: [] });
  });
});

describe('where there is no thread dump', () => {
  it('the reason is told instead of a failure', async () => {
    expect(await threadDumps(process.pid)).toEqual({
      texts: [],
      reason: expect.stringContaining('no Java virtual machine') as string,
    });
  });

  it('distinguishes who waits for a first connection and who has passed that place and waits for another', () => {
    const asking = (number: number, ...frames: string[]): string =>
      thread(
        `http-${number}`,
        'TIMED_WAITING (parking)',
        ...park,
        'com.zaxxer.hikari.pool.HikariPool.getConnection(HikariPool.java:162)',
        ...frames,
        ...jettyRun,
      );
    const first = asking(31, 'shop.Web.place(Web.java:9)');
    const second = asking(
      32,
      'org.springframework.tx.Interceptor.invoke(Interceptor.java:5)',
      'shop.Orders.save(Orders.java:23)',
      'shop.Web.place(Web.java:9)',
    );
    expect(summarizeThreadDump([first, second, second].join('\n')).asking).toEqual([
      { where: 'Orders.save, Orders.java:23', count: 2, isFurther: true },
      { where: 'Web.place, Web.java:9', count: 1, isFurther: false },
    ]);
    expect(summarizeThreadDump(reading).asking).toBeUndefined();
  });

  it('counts an executor whose threads all have one name', () => {
    const worker = thread(
      'warehouse-worker',
      'WAITING (parking)',
      ...park,
      'shop.Warehouse.score(Warehouse.java:31)',
      'java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@17.0.15/ThreadPoolExecutor.java:1136)',
    );
    expect(summarizeThreadDump([reading, worker, worker].join('\n')).workers).toMatchObject([
      { name: 'warehouse-worker', threads: 2, atWork: 2 },
    ]);
  });
});
