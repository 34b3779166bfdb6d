import { describe, expect, it } from 'vitest';
import { knownCures } from '../../../src/calltree/sentence/knownCures.ts';
import { readProfile } from '../../../src/engine/calltree/openProfile.ts';

describe('what is known to cost a lot', () => {
  const seen = (stacks: string): unknown => knownCures(readProfile(Buffer.from(stacks)), 'samples');

  it('is seen by its function, with its share of the event', () => {
    const logged = 'app.Main.run_[j];ch/qos/logback/classic/spi/CallerData.extract_[j] 30\napp.Main.run_[j];app.Main.work_[j] 70\n';
    expect(seen(logged)).toEqual([{ code: 'known-cost', event: 'samples', share: 0.3, cost: 'caller-data' }]);
  });

  it('is not worth a word below a tenth', () => {
    const logged = 'app.Main.run_[j];ch/qos/logback/classic/spi/CallerData.extract_[j] 9\napp.Main.run_[j];app.Main.work_[j] 91\n';
    expect(seen(logged)).toEqual([]);
  });
});
