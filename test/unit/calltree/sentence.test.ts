import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CauseSource, causesOf } from '../../../src/calltree/sentence/causes.ts';
import { libraryName } from '../../../src/calltree/sentence/libraryName.ts';
import { type FlameSentence, sentenceText } from '../../../src/calltree/sentence/sentenceParts.ts';
import { diffSentence, treeSentence } from '../../../src/calltree/sentence/treeSentence.ts';
import { skeletonOf } from '../../../src/calltree/skeleton.ts';
import { withRoles } from '../../../src/calltree/stackRoles.ts';
import { chooseEvent } from '../../../src/calltree/totals.ts';
import { classifyFrame, kindCode } from '../../../src/calltree/frameKind.ts';
import { readProfile } from '../../../src/engine/calltree/openProfile.ts';
import { type CallTree, frameKinds } from '../../../src/model/domain/callTree.ts';
import { eventHeads, stacks, treeOf } from './trees.ts';

const fixture = (name: string): CallTree =>
  withRoles(readProfile(readFileSync(path.resolve(import.meta.dirname, '../../fixtures/profiles', name))));

/** Collapsed stacks as one event, in ns where not said otherwise. */
function recording(event: string, lines: readonly string[], unit: 'ns' | 'bytes' | 'count' = 'ns'): CallTree {
  const tree = readProfile(new TextEncoder().encode(lines.join('\n')));
  tree.events = tree.events.map(({ self }) => ({ name: event, unit, self: self.map((weight) => weight * 1e6) }));
  return withRoles(tree);
}

const said = (tree: CallTree, event: string | null = null, requests: number | null = null): FlameSentence =>
  treeSentence(tree, chooseEvent(tree, event), requests);
const headline = (sentence: FlameSentence): string => sentenceText(sentence.headline);

const jetty = 'java.lang.Thread.run;org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run';
const park = 'java.util.concurrent.locks.LockSupport.parkNanos;jdk.internal.misc.Unsafe.park;__futex_abstimed_wait_common';
const borrow = `com.zaxxer.hikari.pool.HikariPool.getConnection;com.zaxxer.hikari.util.ConcurrentBag.borrow;${park}`;
const query = 'org.postgresql.jdbc.PgPreparedStatement.executeQuery;org.postgresql.core.VisibleBufferedInputStream.readMore;recv';

describe('the sentence over a recording of a real app', () => {
  it('names the wait, the line that asks, and the route for which it does most, of a Java service with a pool of two', () => {
    const tree = fixture('bulletinPool2.wall.pb.gz');
    const sentence = said(tree, 'wall', 1000);
    expect(sentence.verdict).toBe('dominant');
    expect(headline(sentence)).toBe(
      '86 % of wall time waits for a database connection, asked for in HikariConnections.borrow (HikariConnections.java:33), mostly for Routes.getAd (Routes.java:110)',
    );
    expect(sentenceText(sentence.more)).toMatch(
      /^Then 7\.4 % waits for the database, called from Connections\.list \(Connections\.java:47\); /,
    );
    expect(sentence.counts).toMatch(/^86\.2 % are 219 s of 254 s\. That is 219 ms of each of 1,000 requests\./);
  });
  it('leads from each part to what it names', () => {
    const tree = fixture('bulletinPool2.wall.pb.gz');
    const { headline: parts } = said(tree, 'wall');
    const [share, name, place] = parts.filter(({ link }) => link !== null);
    expect(share?.link).toEqual({ kind: 'share' });
    expect(name?.link?.kind === 'function' && tree.functions.name[name.link.func]).toBe('bulletin.database.HikariConnections.borrow');
    expect(place?.link).toMatchObject({ kind: 'place', line: 33 });
  });
  it('is the same, but for lines, from the nodes that are wide enough to see', () => {
    const tree = fixture('bulletinPool2.wall.pb.gz');
    const wide = skeletonOf(tree, chooseEvent(tree, 'wall'));
    const withoutLines = (text: string): string => text.replaceAll(/:\d+/g, '');
    expect(withoutLines(headline(said(wide)))).toBe(withoutLines(headline(said(tree))));
  });
  it.each([
    ['board.cpuprofile', 'cpu', '55 % of CPU time is spent in parse (board.mjs:5)'],
    ['board.heapprofile', 'heap', '59 % of the memory in use was allocated in list (board.mjs:6)'],
    ['board.jfr', 'cpu', 'Only 8 samples, too few to tell: 75 % of CPU time is the JIT compiler at work'],
    [
      'board.jfr',
      'alloc',
      'Only 4 samples, too few to tell: all of the allocated memory is allocated in Board.list (Board.java:4), most of it in the JDK, which it calls',
    ],
  ])('of %s, %s', (name, event, expected) => {
    expect(headline(said(fixture(name), event))).toBe(expected);
  });
});

describe('the sentence', () => {
  it.each([
    [
      'a wait for the pool whose caller is the user’s',
      recording('wall', [`${jetty};shop.Main.slowQuery;${borrow} 88`, `${jetty};shop.Main.slowQuery;${query} 12`]),
      '88 % of wall time waits for a database connection, asked for in Main.slowQuery (Main.java)',
    ],
    [
      'a library that does the work for the user’s function',
      recording('cpu', [
        `${jetty};shop.Main.render;com.google.gson.Gson.toJson;java.lang.StringBuilder.append 60`,
        `${jetty};shop.Main.list 40`,
      ]),
      '60 % of CPU time is spent in Main.render (Main.java), most of it in Gson.toJson, which it calls',
    ],
    [
      'several who ask for the same',
      recording(
        'wall',
        ['a', 'b', 'c'].map((one) => `${jetty};shop.Main.${one};${borrow} 30`),
      ),
      'All of wall time waits for a database connection, asked for in Main.a (Main.java), 33 % of it; the rest in 2 others',
    ],
    [
      'libraries that work for nobody of the user’s',
      recording('cpu', [`${jetty};org.eclipse.jetty.http.HttpParser.parse 70`, `${jetty};shop.Main.list 30`]),
      '70 % of CPU time is spent in Jetty, below none of your functions',
    ],
    [
      'the runtime’s own work, whoever it interrupted',
      recording('cpu', ['shop.Main.a;(garbage collector) 40', 'shop.Main.b;(garbage collector) 30', 'shop.Main.a 30']),
      '70 % of CPU time is garbage collection',
    ],
    [
      'a wait of which nothing more is known, by where it waits',
      recording('wall', ['java.lang.Thread.run;shop.Poll.next;java.lang.Thread.sleep 9', 'java.lang.Thread.run;shop.Poll.next 1']),
      '90 % of wall time waits in Thread.sleep, called from Poll.next (Poll.java)',
    ],
    [
      'that nothing dominates',
      recording(
        'cpu',
        Array.from({ length: 10 }, (_, index) => `shop.Main.step${index} ${10 + (index === 3 ? 2 : 0)}`),
      ),
      'Nothing dominates CPU time: the largest part, 12 %, is spent in Main.step3 (Main.java)',
    ],
    [
      'that there are too few samples to tell',
      recording('samples', ['shop.Main.a 0.000002', 'shop.Main.b 0.000001'], 'count'),
      'Only 3 samples, too few to tell: 67 % of what was sampled is spent in Main.a (Main.java)',
    ],
    [
      'that only threads without work were seen',
      recording('wall', ['java.lang.Thread.run;java.util.concurrent.ThreadPoolExecutor.getTask;jdk.internal.misc.Unsafe.park 10']),
      'All threads were without work: nothing of wall time is left to show',
    ],
    [
      'functions by themselves where nothing is known of them',
      recording('cpu', ['start;work 8', 'start;rest 2']),
      '80 % of CPU time is spent in work',
    ],
    [
      'by whom memory was allocated, whatever its stack waits for',
      recording('alloc', [`${jetty};shop.Main.slowQuery;${borrow} 5`], 'bytes'),
      'All of the allocated memory is allocated in Main.slowQuery (Main.java), most of it in HikariPool.getConnection, which it calls',
    ],
  ])('says %s', (_what, tree, expected) => {
    expect(headline(said(tree))).toBe(expected);
  });

  it('takes what a recorder measured as a wait for one, whatever its frames are', () => {
    const tree = recording('poolWait', [
      `${jetty};shop.Main.ad;com.zaxxer.hikari.HikariDataSource.getConnection 7`,
      `${jetty};shop.Main.list 3`,
    ]);
    expect(headline(said(tree))).toBe('70 % of the time waiting for a connection is asked for in Main.ad (Main.java)');
  });

  it('shows no character of a name that turns or hides text', () => {
    const tree = recording('cpu', ['shop.Main.\u202eevil 10']);
    expect(headline(said(tree))).not.toMatch(/\u202e/);
  });
});

describe('the sentence over a comparison', () => {
  const before = recording('wall', [`${jetty};shop.Main.ad;${borrow} 12`, `${jetty};shop.Main.ad;${query} 40`]);
  const after = recording('wall', [`${jetty};shop.Main.ad;${borrow} 80`, `${jetty};shop.Main.ad;${query} 40`]);
  const compared = (a: CallTree, b: CallTree, normalise: 'request' | 'share' | 'raw', requests: [number, number] = [10, 10]): string =>
    headline(
      diffSentence(
        { tree: a, requests: requests[0], title: 'a' },
        { tree: b, requests: requests[1], title: 'b' },
        { event: 'wall', normalise },
      ),
    );
  it('says what grew of a request, and whose that is', () => {
    expect(compared(after, before, 'request')).toBe(
      'Per request, wall time grew by 6.80 ms (5.20 ms → 12.0 ms): 6.80 ms more of it waits for a database connection, asked for in Main.ad (Main.java)',
    );
  });
  it('says what fell, the other way round', () => {
    expect(compared(before, after, 'request')).toBe(
      'Per request, wall time fell by 6.80 ms (12.0 ms → 5.20 ms): 6.80 ms less of it waits for a database connection, asked for in Main.ad (Main.java)',
    );
  });
  it('counts by request: twice the time for twice the requests is no growth', () => {
    expect(
      compared(after, recording('wall', [`${jetty};shop.Main.ad;${borrow} 40`, `${jetty};shop.Main.ad;${query} 20`]), 'request', [20, 10]),
    ).toBe('Per request, wall time is about the same (6.00 ms → 6.00 ms), and no part of it stands out');
  });
  it('says whose share is larger where requests are not known', () => {
    expect(compared(after, before, 'share')).toBe(
      'A larger share of wall time waits for a database connection, asked for in Main.ad (Main.java): 67 %, in the other recording 23 %',
    );
  });
});

describe('causes', () => {
  const sourceOf = (tree: CallTree, event: number): CauseSource => {
    const { parent, func, line, functions, events } = tree;
    return {
      parent,
      func,
      line,
      functions,
      role: tree.role ?? null,
      weight: events[event]?.self ?? new Float64Array(),
      event: 'wall',
    };
  };
  const names = fc.constantFrom(
    'shop.Main.a',
    'shop.Main.b',
    'com.zaxxer.hikari.X.y',
    'java.lang.Thread.run',
    '(garbage collector)',
    'C::f',
  );

  it('take all weight apart, each by the innermost of the user’s functions', () => {
    fc.assert(
      fc.property(stacks(names, eventHeads.length, true), (list) => {
        const tree = treeOf(list, eventHeads);
        const { causes, total } = causesOf(sourceOf(tree, 0));
        const expected = new Map<string, number>();
        let whole = 0;
        const anyOwn = list.some(({ frames }) => frames.some(({ name }) => classifyFrame(name, '') === 'app'));
        for (const { frames, weights } of list) {
          const weight = weights[0] ?? 0;
          whole += weight;
          // From the leaf up: what comes first decides, the collector's work is nobody's.
          const deciding = frames.findLast(({ name }) => name === '(garbage collector)' || classifyFrame(name, '') === 'app');
          if (weight > 0 && deciding !== undefined && deciding.name !== '(garbage collector)' && anyOwn)
            expected.set(deciding.name, (expected.get(deciding.name) ?? 0) + weight);
        }
        expect(total).toBe(whole);
        expect(causes.reduce((sum, { weight }) => sum + weight, 0)).toBe(whole);
        if (anyOwn) {
          const own = causes.filter(({ func }) => func >= 0).map(({ func, weight }) => [tree.functions.name[func], weight] as const);
          expect(new Map(own)).toEqual(expected);
        }
      }),
    );
  });

  it('tell of each no more than there is of it', () => {
    fc.assert(
      fc.property(stacks(names, eventHeads.length), (list) => {
        const tree = treeOf(list, eventHeads);
        const causes = causesOf(sourceOf(tree, 0));
        for (const cause of causes.causes) {
          const { own, callee, caller } = causes.detailsOf(cause);
          expect(own + (callee?.weight ?? 0)).toBeLessThanOrEqual(cause.weight);
          expect(caller?.weight ?? 0).toBeLessThanOrEqual(cause.weight);
        }
      }),
    );
  });
});

describe('a library', () => {
  it.each([
    ['org.eclipse.jetty.server.Server.handle', '', 'Jetty'],
    ['java/util/HashMap.get', '', 'the JDK'],
    ['query', '/app/node_modules/pg/lib/client.js', 'pg'],
    ['query', '/app/node_modules/@nestjs/core/router.js', '@nestjs/core'],
    ['emit', 'node:events', 'Node'],
    ['org.apache.kafka.clients.Producer.send', '', 'org.apache.kafka'],
    ['__futex_abstimed_wait_common', '', 'libc'],
    ['Parker::park', '', 'native code'],
  ])('of %s %s is %s', (name, file, expected) => {
    const kind = classifyFrame(name, file);
    const native = kind === 'other' ? kindCode('native') : frameKinds.indexOf(kind);
    expect(libraryName({ name: [name], file: [file], kind: Uint8Array.of(native) }, 0)).toBe(expected);
  });
});
