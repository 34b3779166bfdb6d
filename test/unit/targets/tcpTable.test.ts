import { describe, expect, it } from 'vitest';
import { answeringSockets, parseTcpTable } from '../../../src/engine/targets/tcpTable.ts';

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, remote: string, state: string, uid = 1000, inode = 7): string =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${uid}        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;
const nobody = '00000000:0000';
const nobody6 = `${'0'.repeat(32)}:0000`;

describe('the kernel’s table of TCP sockets', () => {
  it('tells both ends, in IPv4 and IPv6, and whose each is', () => {
    const text =
      head +
      row('0100007F:1F90', nobody, '0A', 1000, 11) +
      row('0100007F:A1B2', '6401A8C0:1538', '01', 33, 12) +
      row('00000000000000000000000001000000:1F90', nobody6, '0A', 0, 13) +
      row('0000000000000000FFFF00000100007F:1F90', nobody6, '0A', 0, 14) +
      row('B80D0120000000000000000001000000:0050', nobody6, '0A', 0, 15);
    expect(parseTcpTable(text)).toEqual([
      { local: { host: '127.0.0.1', port: 8080 }, remote: { host: '0.0.0.0', port: 0 }, listens: true, uid: 1000, inode: '11' },
      { local: { host: '127.0.0.1', port: 41394 }, remote: { host: '192.168.1.100', port: 5432 }, listens: false, uid: 33, inode: '12' },
      { local: { host: '::1', port: 8080 }, remote: { host: '::', port: 0 }, listens: true, uid: 0, inode: '13' },
      { local: { host: '127.0.0.1', port: 8080 }, remote: { host: '::', port: 0 }, listens: true, uid: 0, inode: '14' },
      { local: { host: '2001:db8::1', port: 80 }, remote: { host: '::', port: 0 }, listens: true, uid: 0, inode: '15' },
    ]);
  });

  it('tells nothing of lines that are none', () => {
    expect(parseTcpTable(`${head}\n 1: nothing\n 2: 0100007F 0100007F:0050 0A\n`)).toEqual([]);
  });

  it('says who takes a connection to 127.0.0.1: that address, then any of IPv4, then any at all, and never ::1', () => {
    const of = (...hosts: string[]) =>
      answeringSockets(
        8080,
        hosts.map((host, index) => ({
          local: { host, port: 8080 },
          remote: { host: '', port: 0 },
          listens: true,
          uid: 0,
          inode: `${index}`,
        })),
      ).map(({ local }) => local.host);
    expect(of('::1', '127.0.0.1')).toEqual(['127.0.0.1']);
    expect(of('::', '0.0.0.0')).toEqual(['0.0.0.0']);
    expect(of('::1', '::')).toEqual(['::']);
    expect(of('::1', '127.0.0.2')).toEqual([]);
  });
});
