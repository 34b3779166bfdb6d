import { type Markish, type PlotOptions, axisX, axisY, gridY, plot, text } from '@observablehq/plot';
import { wholeNumber } from '../../../src/model/domain/format.ts';

/** A place in a chart that shows more when pointed at or focused: in pixels of the chart. */
export interface Hotspot {
  x: number;
  y: number;
  /** Lines of text; the first is the name of the point. */
  lines: string[];
}

export interface Drawing {
  node: Element;
  hotspots: Hotspot[];
}

/** Outer size and inner margins of a chart, in px. */
export interface Frame {
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface FrameOptions {
  frame: Frame;
  x: { domain: [number, number]; ticks: { position: number; text: string }[]; label: string };
  y: { top: number; bottom?: number; log?: boolean; ticks?: number };
  marks: Markish[];
  /** What to say instead of figures when there are none yet. */
  empty?: string | undefined;
}

/** A time axis with a tick every ten seconds; of charts above each other only the lowest shows it. */
export function secondsAxis(fromS: number, toS: number, shown: boolean): FrameOptions['x'] {
  const ticks: FrameOptions['x']['ticks'] = [];
  for (let second = Math.ceil(fromS / 10) * 10; shown && second <= toS; second += 10)
    ticks.push({ position: second, text: String(second) });
  return { domain: [fromS, toS], ticks, label: shown ? 's since the start →' : '' };
}

/** The position of a value, in px from the left. The scale is the one that {@link drawPlot} uses. */
export function xPixel(options: FrameOptions, value: number): number {
  const [low, high] = options.x.domain;
  const { left, right, width } = options.frame;
  return left + ((value - low) / (high - low)) * (width - left - right);
}

/** The position of a value, in px from the top. */
export function yPixel(options: FrameOptions, value: number): number {
  const { top, bottom, height } = options.frame;
  const low = options.y.bottom ?? 0;
  const share = options.y.log
    ? Math.log(Math.max(value, low) / low) / Math.log(options.y.top / low)
    : (value - low) / (options.y.top - low);
  return height - bottom - share * (height - top - bottom);
}

/** Draws marks in a quiet frame: hairline grid, muted ticks at the tested values, the axis' name at its lower right end. */
export function drawPlot(options: FrameOptions): Element {
  const { frame, x, y } = options;
  const muted = 'var(--bs-muted)';
  const ticks = y.ticks ?? (y.log ? 4 : 5);
  const names = new Map(x.ticks.map((tick) => [tick.position, tick.text]));
  const plotOptions: PlotOptions = {
    width: frame.width,
    height: frame.height,
    marginTop: frame.top,
    marginRight: frame.right,
    marginBottom: frame.bottom,
    marginLeft: frame.left,
    style: { background: 'transparent', color: 'var(--bs-fg)', fontFamily: 'inherit', fontSize: '12px', overflow: 'visible' },
    x: { domain: x.domain, type: 'linear' },
    y: { domain: [y.bottom ?? 0, y.top], type: y.log ? 'log' : 'linear' },
    marks: [
      gridY({ stroke: 'var(--bs-grid)', strokeOpacity: 1, ticks }),
      axisY({
        label: null,
        color: muted,
        tickSize: 4,
        ticks,
        tickFormat: (value: number) =>
          options.empty !== undefined ? '' : y.top >= 100 ? wholeNumber(value) : String(Number(value.toPrecision(3))),
      }),
      axisX({
        label: null,
        color: muted,
        tickSize: 4,
        ticks: x.ticks.map((tick) => tick.position),
        tickFormat: (position: number) => names.get(position) ?? '',
      }),
      text([x.label], {
        frameAnchor: 'bottom-right',
        text: (label: string) => label,
        fill: muted,
        dy: frame.bottom - 8,
        lineAnchor: 'bottom',
      }),
      ...options.marks,
      ...(options.empty === undefined
        ? []
        : [
            text([options.empty], {
              frameAnchor: 'middle',
              text: (words: string) => words,
              fill: muted,
              stroke: 'var(--bs-bg)',
              strokeWidth: 8,
            }),
          ]),
    ],
  };
  const node = plot(plotOptions);
  node.setAttribute('aria-hidden', 'true');
  // A strict policy refuses style elements; the chart element's own style sheet has the same rules.
  for (const style of node.querySelectorAll('style')) style.remove();
  return node;
}
