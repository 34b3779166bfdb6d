import { describe, expect, it } from 'vitest';
import { variantLines } from '../../../src/cli/initVariants.ts';

const one = (key: string, example: string) => ({ key, meaning: `What ${key} is.`, takes: 'words', example });
const nothing = () => false;
const cores = one('cores', 'cores=1,2');
const gc = one('jvm.gc', 'jvm.gc=G1,Parallel');

describe('what init says can be varied', () => {
  it('is a line for each key, with what --vary takes', () => {
    expect(variantLines({ shop: [gc, cores] }, nothing)).toEqual([
      'These can be compared, too: benchside run --target shop',
      '  --vary jvm.gc=G1,Parallel  What jvm.gc is.',
      '  --vary cores=1,2           What cores is.',
    ]);
  });

  it('leaves out what names a file that is not there', () => {
    const sql = one('sql', 'sql=none,index.sql');
    const lines = (isThere: boolean) => variantLines({ shop: [sql, one('rtt', 'rtt=0,0.5ms')] }, () => isThere);
    expect(lines(false)).toEqual([expect.stringContaining('--target shop'), '  --vary rtt=0,0.5ms  What rtt is.']);
    expect(lines(true)).toHaveLength(3);
    expect(variantLines({ shop: [sql] }, nothing)).toEqual([]);
  });

  it('is said once of services that have the same keys, and not at all of one without', () => {
    const lines = variantLines({ shop: [cores], stock: [cores], mail: [gc], none: [] }, nothing);
    expect(lines.filter((line) => line.includes('--target'))).toEqual([
      expect.stringContaining('--target shop|stock'),
      expect.stringContaining('--target mail'),
    ]);
    expect(lines).toHaveLength(4);
  });
});
