import { describe, expect, it } from 'vitest';
import { changeFigure, columnFigure, columnUnit } from '../../../../webview/flame/app/columnFigures.ts';
import { sharePhrase } from '../../../../webview/flame/graph/weightFormat.ts';

describe('a column of figures', () => {
  it.each([
    ['ns', 12e9, 's'],
    ['ns', 9e9, 'ms'],
    ['ns', 50e3, 'µs'],
    ['ns/request', 8.3e6, 'ms/req'],
    ['bytes', 84 * 1024 * 1024, 'MiB'],
    ['bytes/request', 3000, 'KiB/req'],
    ['count', 17, 'count'],
    ['share', 0.5, '%'],
  ] as const)('of %s up to %d is in %s', (unit, largest, expected) => {
    expect(columnUnit(unit, largest).unit).toBe(expected);
  });

  it('has as many decimals in every row as its largest figure needs', () => {
    const unit = columnUnit('ns/request', 8.31e6);
    expect(columnFigure(8.31e6, unit, 8.31e6)).toBe('8.31');
    expect(columnFigure(40e3, unit, 8.31e6)).toBe('0.04');
    expect(columnFigure(1_234_567.8e6, { divisor: 1e6, unit: 'ms' }, 1_234_567.8e6)).toBe('1,234,568');
    expect(columnFigure(123.456e6, { divisor: 1e6, unit: 'ms' }, 999e6)).toBe('123.5');
  });

  it('writes a share as it is written beside it, and the change of one alike', () => {
    const unit = columnUnit('share', 1);
    for (const share of [0.521, 0.0014, 0.0096, 0.00004, 0]) {
      const figure = columnFigure(share, unit, 1);
      expect(sharePhrase(share).replace('< 0.01', '0.00')).toBe(`${figure} %`);
      if (share >= 0.0001) expect(changeFigure(-share, unit, 1)).toBe(`−${figure}`);
    }
    expect(changeFigure(-0.0014, unit, 1)).toBe('−0.14');
  });

  it('writes a change with its sign, and what rounds to nothing as nothing', () => {
    const unit = columnUnit('ns/request', 8.31e6);
    expect(changeFigure(-8.22e6, unit, 8.31e6)).toBe('−8.22');
    expect(changeFigure(40e3, unit, 8.31e6)).toBe('+0.04');
    expect(changeFigure(-1e3, unit, 8.31e6)).toBe('0');
  });
});
