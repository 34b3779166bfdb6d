import type { Slices } from '../../model/domain/run.ts';
import type { Slice } from '../load/slices/sliceProtocol.ts';

/** Slices as they are recorded: for each request, to four digits, which is more than the precision of a slice. */
export function sliceColumns(slices: readonly (Slice & { pass: number })[], cores: number): Slices {
  const began = slices[0]?.atMs ?? 0;
  const column = (of: (slice: Slice) => number | null): (number | null)[] => slices.map((slice) => short(of(slice)));
  const perRequest = (of: (slice: Slice) => number | null): (number | null)[] =>
    column((slice) => {
      const us = of(slice);
      return us === null || slice.answered === 0 ? null : us / slice.answered;
    });
  const serving = ({ appUs, databaseUs, otherUs }: Slice): number | null =>
    appUs === null ? null : appUs + (databaseUs ?? 0) + (otherUs ?? 0);
  /** CPU of a compiler is no property of a request, and comes at any time: with it one slice of a JVM differed three times as much from the next. */
  const compiled = (slice: Slice, us: number | null): number | null => (us === null ? null : us - (slice.compilerUs ?? 0));
  const ofCores = (of: (slice: Slice, servingUs: number) => number): (number | null)[] =>
    column((slice) => {
      const us = serving(slice);
      return us === null || slice.wholeMs <= 0 ? null : of(slice, us) / 1000 / slice.wholeMs / cores;
    });
  return {
    pass: slices.map(({ pass }) => pass),
    atMs: slices.map(({ atMs }) => Math.round(10 * (atMs - began)) / 10),
    wholeMs: slices.map(({ wholeMs }) => Math.round(10 * wholeMs) / 10),
    throughput: slices.map(({ requests, windowMs }) => short(windowMs > 0 ? (1000 * requests) / windowMs : 0) ?? 0),
    appUs: perRequest((slice) => compiled(slice, slice.appUs)),
    compilerUs: perRequest(({ compilerUs }) => compilerUs),
    busiestUs: perRequest(({ busiestUs }) => busiestUs),
    busiestShare: column(({ busiestUs, busiestWaitedUs, wholeMs }) =>
      busiestUs === null || wholeMs <= 0 ? null : (busiestUs + (busiestWaitedUs ?? 0)) / 1000 / wholeMs,
    ),
    servingUs: perRequest((slice) => compiled(slice, serving(slice))),
    allUs: perRequest((slice) => {
      const us = compiled(slice, serving(slice));
      return us === null ? null : us + slice.generatorUs;
    }),
    used: ofCores(({ generatorUs }, us) => us + generatorUs),
    demand: ofCores((slice, us) => us + slice.generatorUs + (slice.appWaitedUs ?? 0) + (slice.servicesWaitedUs ?? 0)),
  };
}

function short(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(4));
}
