import { figure } from '../../../src/model/domain/format.ts';
import { timePhrase, weightPhrase } from '../../../src/model/presentation/weightPhrase.ts';
import type { Layout, LayoutDiff } from '../core/layout.ts';

/** Texts for weights of a layout. All expect a weight in the layout's unit. */
export interface WeightFormat {
  /** "1.24 s", "84 MiB", "3,120 samples". */
  weight(value: number): string;
  /** Of the layout's total: "52.1 %". */
  share(value: number): string;
  /** "8.3 ms/request"; null where the number of requests is not known. */
  perRequest(value: number): string | null;
}

/** 52.14 → "52.1"; what is small keeps a second decimal. */
export function percentFigure(percent: number): string {
  return percent !== 0 && Math.abs(percent) < 1 ? percent.toFixed(2) : percent.toFixed(1);
}

/** 0.521 → "52.1 %"; what is there is never written as nothing. */
export function sharePhrase(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 0.005 ? '< 0.01 %' : `${percentFigure(percent)} %`;
}

/** A format from the layout alone; `requests` were served while it was recorded. */
export function formatOf(layout: Pick<Layout, 'unit' | 'total'>, requests: number | null = null): WeightFormat {
  return {
    weight: (value) => weightPhrase(value, layout.unit),
    share: (value) => sharePhrase(layout.total > 0 ? value / layout.total : 0),
    perRequest: (value) => (requests !== null && requests > 0 ? `${weightPhrase(value / requests, layout.unit)}/request` : null),
  };
}

export function comparedPhrase(value: number, unit: LayoutDiff['unit']): string {
  switch (unit) {
    case 'share':
      return sharePhrase(value);
    case 'ns/request':
      return `${timePhrase(value)}/request`;
    case 'bytes/request':
      return `${weightPhrase(value, 'bytes')}/request`;
    case 'count/request':
      return `${figure(value)}/request`;
    default:
      return weightPhrase(value, unit);
  }
}

/** With its sign: "+1.2 ms/request", "−0.4 %", "no change". */
export function changePhrase(value: number, unit: LayoutDiff['unit']): string {
  if (value === 0) return 'no change';
  const size = Math.abs(value);
  return `${value > 0 ? '+' : '−'}${unit === 'share' ? `${percentFigure(size * 100)} %` : comparedPhrase(size, unit)}`;
}
