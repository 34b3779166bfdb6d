import { chmodSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../../model/domain/failure.ts';
import { runProgram, toolSpec } from '../../supervise/runTool.ts';
import type { Supervisor } from '../../supervise/supervisor.ts';
import { findSystemProgram, howToInstall } from '../systemPrograms.ts';
import { certificateFiles } from './nginxConfig.ts';

/** For as long as a soak may run; it is thrown away with the folder. */
const validDays = 3;

/**
 * Makes a key and a self-signed certificate for 127.0.0.1 and localhost in `folder`; returns the certificate's file. Fails when this machine has no openssl, or
 * one that cannot.
 */
export async function makeCertificate(supervisor: Supervisor, folder: string, signal?: AbortSignal): Promise<string> {
  const openssl = findSystemProgram('openssl');
  if (openssl === null) {
    const cure = howToInstall('OpenSSL', { debian: 'openssl', fedora: 'openssl', homebrew: 'openssl' });
    throw failure(
      'openssl-missing',
      'A proxy that speaks TLS needs a certificate, and there is no openssl on this machine to make one.',
      cure,
    );
  }
  const [certificate, key] = [path.join(folder, certificateFiles.certificate), path.join(folder, certificateFiles.key)];
  const argv = [
    ...[openssl, 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-sha256'],
    ...['-days', String(validDays), '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
    ...['-keyout', key, '-out', certificate],
  ];
  const { code, tail } = await runProgram(supervisor, toolSpec('openssl', argv, folder), { timeoutMs: 30_000, signal });
  if (code !== 0) {
    throw failure(
      'certificate-failed',
      'openssl could not make a certificate for the proxy.',
      'Install OpenSSL 1.1.1 or later, or switch TLS off.',
      tail,
    );
  }
  chmodSync(key, 0o600);
  return certificate;
}
