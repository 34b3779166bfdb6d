import { type Finding, type FoundService, findingsOf, variablesNamed } from '../../model/domain/detection.ts';
import { areOfOne, startOrder } from '../detect/parts.ts';
import { secretName } from '../files/redact.ts';
import type { Seen } from './seen.ts';

/** A service with what a second start has shown of it, in place of what was only likely. */
export function withShown(service: FoundService, shown: readonly Finding[]): FoundService {
  const parts = new Set(shown.map(({ part }) => part));
  return {
    ...service,
    findings: startOrder([...service.findings.filter((one) => !shown.some((other) => areOfOne(one, other))), ...shown]),
    questions: service.questions.filter(({ part }) => !parts.has(part)),
  };
}

/** A value that may be a credential. */
const secretValue = /:\/\/[^\s/]*@|-----BEGIN|^eyJ/;

/** What its own code read from the shell goes into the file, so that it starts the same way elsewhere; what may be secret is only mentioned. */
export function withShell(
  service: FoundService,
  { variables }: Pick<Seen, 'variables'>,
  shell: ReadonlyMap<string, string>,
): { service: FoundService; remarks: string[] } {
  const [command] = findingsOf(service.findings, 'command');
  const known = new Set([...service.findings.flatMap(variablesNamed), ...Object.keys(command?.env ?? {}), 'PORT']);
  const taken = [...new Set(variables.flatMap(({ name, place }) => (place === null || known.has(name) || !shell.has(name) ? [] : [name])))];
  const isSecret = (name: string): boolean => secretName.test(name) || secretValue.test(shell.get(name) ?? '');
  const plain = taken.filter((name) => !isSecret(name));
  const secret = taken.filter(isSecret);
  const remarks =
    secret.length === 0
      ? []
      : [`It takes ${secret.join(', ')} from the shell that starts it. Their values may be secret, and do not stand in the file.`];
  if (command === undefined || plain.length === 0) return { service, remarks };
  const env = { ...command.env, ...Object.fromEntries(plain.map((name) => [name, shell.get(name) ?? ''])) };
  const because = `${command.because}; ${plain.join(', ')} from the shell`;
  return {
    service: { ...service, findings: service.findings.map((one) => (one === command ? { ...command, env, because } : one)) },
    remarks,
  };
}
