// A reporter of Vitest: writes what failed assertions expected and got, which its JSON leaves out. The file is named by BENCHSIDE_TEST_DIFFS.
import { writeFileSync } from 'node:fs';

export default class TestDiffs {
  /** Writes the lines that differ, by the full name of the test. */
  onTestRunEnd(modules) {
    const diffs = {};
    for (const test of modules.flatMap((module) => [...module.children.allTests('failed')])) {
      const shown = (test.result().errors ?? []).map(({ diff }) => diff ?? '').join('\n');
      const lines = shown.replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n');
      const name = test.fullName.replaceAll(' > ', ' ');
      diffs[name] = lines.filter((line) => /^[-+] /.test(line)).slice(0, 20);
    }
    writeFileSync(process.env.BENCHSIDE_TEST_DIFFS, JSON.stringify(diffs));
  }
}
