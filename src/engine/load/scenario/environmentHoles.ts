import { failure } from '../../../model/domain/failure.ts';
import type { Role, ScenarioStep } from '../../../model/domain/scenario.ts';
import { asItIs, encodeInHeader, encodeInJson, encodeInPath } from './template.ts';

/** `${env:NAME}`: what no file should hold. */
const hole = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The variables that roles take something from, each once. */
export function variablesOf(roles: readonly Role[]): string[] {
  return [...new Set([...JSON.stringify(roles).matchAll(hole)].map((match) => match[1] ?? ''))];
}

/** Fails with `scenario-invalid` where a variable is not set that roles take something from. */
export function requireVariables(roles: readonly Role[], environment: NodeJS.ProcessEnv = process.env): void {
  const missing = variablesOf(roles).filter((name) => (environment[name] ?? '') === '');
  if (missing.length === 0) return;
  throw failure(
    'scenario-invalid',
    `The load profile takes ${missing.join(', ')} from the environment, where ${missing.length === 1 ? 'it is' : 'they are'} not set.`,
    `Set ${missing.length === 1 ? 'it' : 'them'} where Benchside is started, for example: ${missing[0] ?? ''}=… benchside run`,
  );
}

/** Roles with the values of the variables, each written as its place asks for. Only what is sent has them: what is stored keeps the names. */
export function withVariables(roles: readonly Role[], environment: NodeJS.ProcessEnv = process.env): readonly Role[] {
  if (variablesOf(roles).length === 0) return roles;
  requireVariables(roles, environment);
  const filled = (text: string, encode: (value: string) => string): string =>
    text.replace(hole, (_, name: string) => withoutBraces(encode(environment[name] ?? ''), name));
  const step = (one: ScenarioStep): ScenarioStep => ({
    ...one,
    path: filled(one.path, encodeInPath),
    headers: Object.fromEntries(Object.entries(one.headers).map(([name, value]) => [name, filled(value, encodeInHeader)])),
    ...(one.body === undefined ? {} : { body: filled(one.body, bodyEncoding(one)) }),
    ...(one.multipart === undefined
      ? {}
      : { multipart: one.multipart.map((part) => (part.text === undefined ? part : { ...part, text: filled(part.text, asItIs) })) }),
  });
  return roles.map((role) => ({ ...role, once: role.once.map(step), steps: role.steps.map(step) }));
}

function bodyEncoding({ body = '', headers }: ScenarioStep): (value: string) => string {
  if (/^\s*[[{"]/.test(body)) return encodeInJson;
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /x-www-form-urlencoded/i.test(type) ? encodeInPath : asItIs;
}

/** They would be read as a template. */
function withoutBraces(value: string, name: string): string {
  if (!value.includes('{{')) return value;
  throw failure(
    'scenario-invalid',
    `The value of ${name} holds “{{”, which a load profile cannot send.`,
    'Use another account for measuring.',
  );
}
