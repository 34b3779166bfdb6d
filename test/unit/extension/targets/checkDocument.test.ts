import { describe, expect, it } from 'vitest';
import { checkDocument } from '../../../../src/extension/targets/checkDocument.ts';
import type { MachineResolution } from '../../../../src/model/domain/machineFacts.ts';
import type { MachineCheck } from '../../../../src/model/presentation/machineChecks.ts';

const ok: MachineCheck = { id: 'node', label: 'Node', status: 'ok', message: '20.20.2', cure: null };
const error: MachineCheck = { id: 'java', label: 'Java', status: 'error', message: 'not found', cure: 'Install a JDK 17 or later.' };
const resolution: MachineResolution = {
  differencePercent: 2.7,
  pairSdPercent: 2.5,
  pairs: 20,
  measuredS: 10,
  interference: null,
};
const at = new Date(2026, 10, 21, 9, 41);

describe('the page of Check This Machine', () => {
  it('has the answer first, then each cure, then everything', () => {
    const page = checkDocument([ok, error], resolution, at);
    const order = [
      'can resolve differences above 3 % within a minute',
      'differ by 2.50 %',
      'Not ready yet:** 1 thing must',
      '### Java',
      'Install a JDK 17 or later',
      '## All checks',
      '| ✓ Fine | Node |',
      '| ✗ Must be cured | Java |',
    ];
    const places = order.map((text) => page.replaceAll('\\', '').indexOf(text));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('is ready on a disturbed machine too', () => {
    const page = checkDocument([ok, { ...ok, status: 'disturbed', label: 'Other programs', cure: 'Close them.' }], null, at);
    expect(page).toContain('**The machine is disturbed at the moment:**');
    expect(page).toContain('~ Disturbed');
    const both = checkDocument(
      [
        { ...ok, status: 'warning' },
        { ...ok, status: 'disturbed' },
      ],
      null,
      at,
    );
    expect(both).toContain('with 1 thing worth knowing. **The machine is disturbed at the moment:**');
    expect(both).not.toContain('**Ready');
    expect(page).toContain('### Other programs');
  });

  it('says that the machine is ready when nothing is wrong', () => {
    expect(checkDocument([ok], null, at)).toContain('**Ready.**');
    expect(checkDocument([ok, { ...ok, status: 'warning', cure: 'Close other programs.' }], null, at)).toContain(
      '**Ready,** with 1 thing worth knowing',
    );
  });
});
