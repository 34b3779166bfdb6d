import { describe, expect, it } from 'vitest';
import { changeFigure, columnFigure, columnUnit } from '../../../../webview/flame/app/columnFigures.ts';

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

  it('writes a change with its sign, and what rounds to nothing as nothing', () => {
    const unit = columnUnit('ns/request', 8.31e6);
    expect(changeFigure(-8.22e6, unit, 8.31e6)).toBe('−8.22');
    expect(changeFigure(40e3, unit, 8.31e6)).toBe('+0.04');
    expect(changeFigure(-1e3, unit, 8.31e6)).toBe('0');
  });
});
