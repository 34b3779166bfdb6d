import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A self-signed certificate for `localhost`, valid for an hour around now, made byte by byte (X.509 v1, ECDSA with P-256). */
export function loopbackCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));
  // The one attribute: commonName = localhost.
  const name = sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('localhost')))));
  const validity = sequence(utcTime(-1_800_000), utcTime(1_800_000));
  const serial = der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)]));
  const content = sequence(serial, algorithm, name, validity, name, publicKey.export({ type: 'spki', format: 'der' }));
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', content, privateKey)]));
  const base64 = sequence(content, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...members: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(members));
}

function utcTime(fromNowMs: number): Buffer {
  const digits = new Date(Date.now() + fromNowMs).toISOString().replace(/\D/g, '');
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}
