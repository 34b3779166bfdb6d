import { describe, expect, it } from 'vitest';
import { askedNowUs } from '../../../src/probe/node/pools/asks.ts';
import { type RequestTimes, Loans } from '../../../src/probe/node/pools/loans.ts';
import { requestBegins, requestEnds } from '../../../src/probe/node/servedRequests.ts';

/** µs of so many ms. */
const at = (ms: number): number => ms * 1_000;
const requests = (oldestMs: number, firstMs = 10, ended = 0): RequestTimes => ({
  firstUs: at(firstMs),
  oldestUs: at(oldestMs),
  endedSince: () => ended,
});

describe('a connection that is lent', () => {
  it('outlives its request when the oldest under way began after it was asked for', () => {
    const loans = new Loans();
    loans.lend({}, at(100), at(150));
    expect(loans.outliving(requests(90), at(2_000))).toEqual({ held: 0, cameBack: 0 });
    expect(loans.outliving(requests(100), at(2_000))).toEqual({ held: 0, cameBack: 0 });
    expect(loans.outliving(requests(101), at(2_000))).toEqual({ held: 1, cameBack: 0 });
  });

  it('is judged by when it was asked for, not by when the caller got it', () => {
    const loans = new Loans();
    loans.lend({}, at(100), at(400));
    expect(loans.outliving(requests(200), at(2_000)).held).toBe(1);
  });

  it('has half a second to come back', () => {
    const loans = new Loans();
    loans.lend({}, at(100), at(150));
    expect(loans.outliving(requests(600), at(649)).held).toBe(0);
    expect(loans.outliving(requests(600), at(650)).held).toBe(1);
  });

  it('belongs to no request when it was asked for before the first', () => {
    const loans = new Loans();
    loans.lend({}, at(5), at(6));
    expect(loans.outliving(requests(9_000), at(9_000)).held).toBe(0);
  });

  it('stays lost while requests under way grow old, until it is given back', () => {
    const loans = new Loans();
    const [lost, other] = [{}, {}];
    loans.lend(lost, at(100), at(100));
    expect(loans.outliving(requests(200), at(1_000)).held).toBe(1);
    loans.lend(other, at(50), at(60));
    expect(loans.outliving(requests(40), at(9_000))).toEqual({ held: 1, cameBack: 0 });
    expect(loans.giveBack(lost)).toBe(true);
    expect(loans.giveBack(lost)).toBe(false);
    expect(loans.outliving(requests(40), at(9_000))).toEqual({ held: 0, cameBack: 1 });
    expect(loans.hold.report().count).toBe(1);
  });

  it('need not be an object, and is lent once at a time', () => {
    const loans = new Loans();
    loans.lend('a', at(100), at(100));
    loans.lend('a', at(100), at(100));
    expect(loans.outliving(requests(200), at(1_000)).held).toBe(1);
    expect(loans.giveBack('a')).toBe(true);
    expect(loans.outliving(requests(200), at(1_000)).held).toBe(0);
  });
});

describe('a connection that is lent to a request that is followed', () => {
  /** Asks for one within a request, as what a server calls does. */
  async function taken(loans: Loans, connection: object): Promise<{ end: () => void; askedUs: number }> {
    await Promise.resolve();
    const request = requestBegins();
    await Promise.resolve();
    const askedUs = askedNowUs();
    loans.lend(connection, askedUs, askedUs);
    return { askedUs, end: () => requestEnds(request, askedUs + at(1)) };
  }

  it('outlives it though others that are under way began before', async () => {
    const loans = new Loans();
    const [first, second] = await Promise.all([taken(loans, {}), taken(loans, {})]);
    const underWay = { firstUs: 0, oldestUs: 0, endedSince: () => 2 };
    const later = Math.max(first.askedUs, second.askedUs) + at(2_000);
    expect(loans.outliving(underWay, later)).toEqual({ held: 0, cameBack: 0 });
    first.end();
    expect(loans.outliving(underWay, later)).toMatchObject({ held: 1, cameBack: 0 });
    second.end();
    expect(loans.outliving(underWay, later)).toMatchObject({ held: 2, cameBack: 0 });
  });

  it('has half a second from its end on', async () => {
    const loans = new Loans();
    const { askedUs, end } = await taken(loans, {});
    end();
    const underWay = { firstUs: 0, oldestUs: 0, endedSince: () => 1 };
    expect(loans.outliving(underWay, askedUs + at(500)).held).toBe(0);
    expect(loans.outliving(underWay, askedUs + at(501)).held).toBe(1);
  });
});

describe('connections of requests that nobody followed', () => {
  it('may be lost as far as requests have ended since they were asked for', () => {
    const loans = new Loans();
    for (const ms of [100, 101, 102]) loans.lend({}, at(ms), at(ms));
    expect(loans.outliving(requests(50), at(2_000))).toEqual({ held: 0, cameBack: 0 });
    expect(loans.outliving(requests(50, 10, 2), at(2_000))).toEqual({ held: 0, cameBack: 0, unsure: 2 });
    expect(loans.outliving(requests(50, 10, 9), at(2_000))).toEqual({ held: 0, cameBack: 0, unsure: 3 });
  });
});
