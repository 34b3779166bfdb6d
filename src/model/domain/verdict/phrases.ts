import { figure } from '../format.ts';

/** 0.946 → “95 %”; what is nearly all or nearly nothing keeps a digit more. */
export function percentOf(share: number | null): string {
  if (share === null) return 'an unknown share';
  const percent = 100 * share;
  return `${percent > 0.05 && percent < 9.95 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** 30.4 → “30”, 1.46 → “1.5”: a mean number of things. */
export function mean(count: number): string {
  return count >= 9.95 ? String(Math.round(count)) : count.toFixed(1).replace(/\.0$/, '');
}

export function ms(value: number | null): string {
  return value === null ? 'an unknown time' : `${figure(value)} ms`;
}

export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** “2.0 of 2”. */
export function ofMax(busy: number | null, max: number | null): string | null {
  return busy === null ? null : max === null ? busy.toFixed(1) : `${Math.min(busy, max).toFixed(1)} of ${max}`;
}

/** “3.2 % of 2 cores”. */
export function ofCores(share: number | null, cores: number | null): string | null {
  return share === null || cores === null ? null : `${percentOf(share)} of ${figureOf(cores)} ${plural(cores, 'core', 'cores')}`;
}

export function figureOf(count: number): string {
  return Number.isInteger(count) ? String(count) : figure(count);
}

/** “both of its 2 connections were always busy”, “96 % of its 16 connections were busy”. */
export function allBusy({ busy, max }: { busy: number | null; max: number | null }): string {
  if (busy === null || max === null) return 'its connections were busy';
  if (busy / max < 0.97) return `${percentOf(busy / max)} of its ${max} connections were busy`;
  if (max === 1) return 'its only connection was always busy';
  return max === 2 ? 'both of its 2 connections were always busy' : `all ${max} of its connections were always busy`;
}

/** “30 requests waited”. */
export function waited(pending: number | null): string {
  const count = mean(pending ?? 0);
  return `${count} ${count === '1' ? 'request' : 'requests'} waited`;
}

export function theApp(instances: number): string {
  return instances > 1 ? `the ${instances} instances of the app` : 'the app';
}
