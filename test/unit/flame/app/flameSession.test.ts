import { describe, expect, it } from 'vitest';
import type { FromFlame } from '../../../../src/model/domain/flame.ts';
import { FlameSession } from '../../../../webview/flame/app/flameSession.ts';
import { functionName } from '../../../../webview/flame/app/flameWords.ts';
import type { Layout } from '../../../../webview/flame/core/layout.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type Host, hostOf, modelInPage, treeOf } from './pages.ts';

const stacks = ['main;handle;getConnection;park 52', 'main;handle;query;read 31', 'main;handle;render 10', 'main;gc 7'];

function start(host: Host): FlameSession {
  const session = new FlameSession(host.channel, modelInPage(), () => undefined);
  session.start();
  return session;
}

/** The boxes of a layout by name, with what they weigh. */
function boxes(session: FlameSession, layout: Layout | null = session.answers.layouts.value): Record<string, number> {
  const { names } = session;
  if (layout === null || names === null) return {};
  return Object.fromEntries([...layout.func].map((func, box) => [functionName(names, func), layout.w[box] ?? 0]));
}

const settled = (session: FlameSession): Promise<unknown> =>
  waitFor(
    () =>
      session.a.phase === 'complete' &&
      session.answers.layouts.value !== null &&
      !session.answers.layouts.pending &&
      !session.answers.tables.pending,
  );
const piecesAsked = (sent: readonly FromFlame[]): string[] =>
  sent.flatMap((message) => (message.type === 'readPiece' ? [`${message.side} ${message.part} ${message.index}`] : []));
const numberOf = (session: FlameSession, name: string): number => session.names?.name.indexOf(name) ?? -1;

describe('a session of a flame graph', () => {
  it('shows the wide nodes of a large recording while the rest is on its way, and then everything', async () => {
    const many = Array.from({ length: 30_000 }, (_, at) => `main;narrow ${at};leaf ${at} 1`);
    const host = hostOf({ a: treeOf(['main;wide 100000', ...many]) });
    host.held = true;
    const session = start(host);
    expect(piecesAsked(host.sent)).toEqual(['a skeleton 0']);
    host.releaseOne();
    await waitFor(() => session.answers.layouts.value !== null);
    expect(session.a.phase).toBe('skeleton');
    expect(boxes(session)).toEqual({ everything: 130_000, main: 130_000, wide: 100_000 });
    expect(piecesAsked(host.sent).slice(0, 3)).toEqual(['a skeleton 0', 'a tree 0', 'a tree 1']);
    session.drawn(session.answers.layouts.value as Layout);
    host.release();
    await settled(session);
    expect(boxes(session)).toMatchObject({ everything: 130_000, main: 130_000, wide: 100_000, 'leaf 7': 1 });
    session.drawn(session.answers.layouts.value as Layout);
    expect(host.sent.filter((message) => message.type === 'drawn').map((message) => message.completeMs === null)).toEqual([true, false]);
  });

  it('asks for a small recording at once, and for no samples where there are none', async () => {
    const host = hostOf({ a: treeOf(stacks) });
    const session = start(host);
    await settled(session);
    expect(piecesAsked(host.sent)).toEqual(['a tree 0', 'a tree 1']);
    expect(boxes(session)).toMatchObject({ main: 100, getConnection: 52, render: 10 });
  });

  it('finds text with the exact share, and steps through the matches around the ends', async () => {
    const session = start(hostOf({ a: treeOf(stacks) }));
    await settled(session);
    session.search.set('r', false);
    await waitFor(() => session.search.result !== null);
    expect(session.search.result?.matchedShare).toBeCloseTo(0.93, 10);
    const first = session.search.step(1);
    const count = session.search.result?.order.length ?? 0;
    for (let at = 1; at < count; at += 1) session.search.step(1);
    expect(session.search.step(1)).toBe(first);
    session.search.set('(', true);
    await waitFor(() => session.search.problem !== '');
    expect(session.search.problem).toBe('Not a regular expression');
  });

  it('leaves stacks out, says what is left, and takes it back', async () => {
    const session = start(hostOf({ a: treeOf(stacks) }));
    await settled(session);
    session.transform({ kind: 'dropFunction', func: numberOf(session, 'getConnection') });
    await waitFor(() => boxes(session)['everything'] === 48);
    expect(boxes(session)['getConnection']).toBeUndefined();
    session.back();
    await waitFor(() => boxes(session)['everything'] === 100);
    session.forward();
    await waitFor(() => boxes(session)['everything'] === 48);
  });

  it('is restored after a reload with its filters, and does not show what is not filtered first', async () => {
    const host = hostOf({ a: treeOf(stacks) });
    const before = start(host);
    await settled(before);
    before.transform({ kind: 'hideFunction', func: numberOf(before, 'handle') });
    before.setOptions({ orientation: 'flame' });
    before.search.set('park', false);
    before.keep();
    const again = hostOf({ a: treeOf(stacks) }, {}, host.state);
    const after = start(again);
    await settled(after);
    expect(boxes(after)['handle']).toBeUndefined();
    expect(boxes(after)['getConnection']).toBe(52);
    expect(after.options.orientation).toBe('flame');
    expect(after.search.text).toBe('park');
    expect(again.sent.some((message) => message.type === 'readPiece' && message.part === 'skeleton')).toBe(false);
  });

  it('forgets the filters of another recording', async () => {
    const host = hostOf({ a: treeOf(stacks) });
    const before = start(host);
    await settled(before);
    before.transform({ kind: 'dropFunction', func: numberOf(before, 'main') });
    const after = start(hostOf({ a: treeOf(['other;thing 5', 'other;more 6']) }, {}, host.state));
    await settled(after);
    expect(after.look?.transforms).toEqual([{ kind: 'foldLibraries' }]);
    expect(boxes(after)).toMatchObject({ other: 11 });
  });

  it('compares per request, keeps filters by function, and comes back from it', async () => {
    const host = hostOf({ a: treeOf(stacks), b: treeOf(['main;handle;getConnection;park 4', 'main;old 96']) }, { requests: 2 });
    const session = start(host);
    await settled(session);
    session.transform({ kind: 'hideFunction', func: numberOf(session, 'handle') });
    session.compare('any');
    await waitFor(() => session.answers.layouts.value?.diff !== null && session.comparing);
    expect(session.diff?.normalise).toBe('perRequest');
    const layout = session.answers.layouts.value;
    const park = [...(layout?.func ?? [])].indexOf(numberOf(session, 'park'));
    expect(layout?.diff?.totalA[park]).toBe(26);
    expect(layout?.diff?.totalB[park]).toBe(2);
    expect(session.look?.transforms).toHaveLength(2);
    expect(session.placeOf(numberOf(session, 'old'))?.side).toBe('b');
    session.stopComparing();
    await waitFor(() => session.answers.layouts.value?.diff === null && !session.answers.layouts.pending);
    expect(boxes(session)['park']).toBe(52);
  });

  it('compares shares where the requests are not known', async () => {
    const session = start(hostOf({ a: treeOf(stacks), b: treeOf(stacks) }));
    await settled(session);
    session.compare(null);
    await waitFor(() => session.comparing);
    expect(session.diff?.normalise).toBe('share');
  });

  it('shows callers and callees of a function', async () => {
    const session = start(hostOf({ a: treeOf(stacks) }));
    await settled(session);
    session.visit({ view: 'callers', subject: numberOf(session, 'handle') });
    const pair = await waitFor(() => session.answers.sandwiches.value);
    expect(boxes(session, pair.callers)).toMatchObject({ main: 93 });
    expect(Object.keys(boxes(session, pair.callees))).toEqual(expect.arrayContaining(['getConnection', 'query', 'render']));
  });

  it('takes bytes that are no recording as a failure with a cure', async () => {
    const host = hostOf({ a: treeOf(stacks) });
    host.held = true;
    const session = start(host);
    host.tell({
      type: 'piece',
      side: 'a',
      profileId: 'profile a',
      part: 'tree',
      event: null,
      index: 0,
      last: true,
      data: Uint8Array.of(1, 2, 3),
    });
    await waitFor(() => session.a.phase === 'failed');
    expect(session.a.failure?.cure).not.toBe('');
    host.held = false;
    session.retry();
    await settled(session);
    expect(boxes(session)['main']).toBe(100);
  });

  it('takes no piece of a recording that is not open any more', async () => {
    const host = hostOf({ a: treeOf(stacks) });
    const session = start(host);
    host.tell({ type: 'piece', side: 'a', profileId: 'another', part: 'tree', event: null, index: 0, last: true, data: Uint8Array.of(1) });
    await settled(session);
    expect(session.a.phase).toBe('complete');
  });

  it('counts quick movements of the zoom as one step', async () => {
    const session = start(hostOf({ a: treeOf(stacks) }));
    await settled(session);
    for (let step = 1; step <= 20; step += 1) session.zoomed(step / 100, 0.9);
    expect(session.history?.past).toHaveLength(1);
    session.back();
    expect(session.look?.zoom).toBeNull();
  });
});
