import { describe, expect, it } from 'vitest';
import { parseUnixTable, socketsAt, unixInodes } from '../../../src/engine/targets/unixTable.ts';

const text = `Num       RefCount Protocol Flags    Type St Inode Path
00000000dda9b9ba: 00000003 00000000 00000000 0001 03  1204 /run/connected.sock
0000000000000000: 00000002 00000000 00010000 0001 01 22334 /run/my app.sock
0000000000000000: 00000002 00000000 00010000 0001 01 22335 ./app.sock
0000000000000000: 00000002 00000000 00010000 0001 01 22336 @abstract
0000000000000000: 00000002 00000000 00010000 0001 01 22337
`;

describe('the kernel’s table of Unix sockets', () => {
  it('tells those that listen at a path, also with a blank in it', () => {
    expect(parseUnixTable(text)).toEqual([
      { path: '/run/my app.sock', inode: '22334' },
      { path: './app.sock', inode: '22335' },
    ]);
  });

  it('names every socket, with a path or without', () => {
    expect([...unixInodes(text)]).toEqual(expect.arrayContaining(['1204', '22334', '22335', '22336', '22337']));
  });

  it('finds one by its whole path, and by its end where that is all that its process named', () => {
    const all = parseUnixTable(text);
    expect(socketsAt('/run/my app.sock', all).map(({ inode }) => inode)).toEqual(['22334']);
    expect(socketsAt('/srv/shop/app.sock', all).map(({ inode }) => inode)).toEqual(['22335']);
    expect(socketsAt('/srv/shop/other-app.sock', all)).toEqual([]);
  });
});
