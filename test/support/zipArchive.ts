import { deflateRawSync } from 'node:zlib';

/** A zip archive of these files, as a jar is one; bytes are stored as they are, texts packed. Their checksums are left 0: nobody who reads one of them looks at it. */
export function zipArchive(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const [local, list]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const isStored = typeof content !== 'string';
    const [nameBytes, plain] = [Buffer.from(name), Buffer.from(content)];
    const [packed, method] = isStored ? [plain, 0] : [deflateRawSync(plain), 8];
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(method, 8);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(plain.length, 22);
    header.writeUInt16LE(nameBytes.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(plain.length, 24);
    entry.writeUInt16LE(nameBytes.length, 28);
    entry.writeUInt32LE(at, 42);
    local.push(header, nameBytes, packed);
    list.push(entry, nameBytes);
    at += header.length + nameBytes.length + packed.length;
  }
  const listBytes = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(listBytes.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, listBytes, end]);
}
