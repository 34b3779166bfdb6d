import { failure } from '../../../model/domain/failure.ts';
import type { Role, ScenarioStep } from '../../../model/domain/scenario.ts';
import type { RouteParameter } from '../../../model/domain/target.ts';
import { expectedAnswer } from '../expectedAnswer.ts';
import type { MixRequest } from '../loadProtocol.ts';
import { encodePath } from '../requestMix.ts';
import { drawnTemplate } from '../requestSequence.ts';
import { type Extractor, parseExtractor } from './extract.ts';
import { type Template, parseTemplate } from './template.ts';

export type CompiledPart = { name: string; fileName: string | undefined; contentType: string | undefined } & (
  | { kind: 'text'; text: Template }
  | { kind: 'bytes'; bytes: number }
);

export interface CompiledStep {
  /** Which figures it counts to, from 0 over all roles of the block. */
  index: number;
  /** For sentences: `Step ‘list’ of role ‘guest’`. */
  phrase: string;
  method: ScenarioStep['method'];
  path: Template;
  headers: readonly { name: string; value: Template }[];
  body: { text: Template; isJson: boolean } | null;
  multipart: readonly CompiledPart[] | null;
  /** Values drawn for each request, in addition to those that were extracted. */
  draws: readonly { name: string; of: RouteParameter }[];
  extract: readonly { name: string; take: Extractor }[];
  readsBody: boolean;
  /** Which figures the files count to that its page embeds; null when they are not fetched. */
  assetsIndex: number | null;
  /** Empty: 2xx and 3xx. */
  expect: ReadonlySet<number>;
  /** What is wrong with a body; null where it is not read. */
  wrongBody: ((body: string) => string | null) | null;
  thinkMs: { min: number; max: number };
  /** The chance that it is drawn, where a role draws its steps. */
  upTo: number;
}

export interface CompiledRole {
  name: string;
  weight: number;
  once: readonly CompiledStep[];
  steps: readonly CompiledStep[];
  /** One step is drawn for each iteration, by `upTo`, instead of all in their order. */
  drawn: boolean;
  assets: boolean;
}

export interface CompiledScenario {
  roles: readonly CompiledRole[];
  /** What figures are kept of, by {@link CompiledStep.index}. */
  steps: readonly { role: string; step: string }[];
}

/** Headers that HTTP itself sets: how a message is transferred, and where it ends. */
const carriedHeader = /^(connection|keep-alive|transfer-encoding|content-length|upgrade|expect)$/i;

/**
 * Checks roles and makes them ready. Fails with `scenario-invalid`, and a sentence that names role and step, for a template or an extraction that
 * is not understood, for a value that no earlier step extracts, and for names that occur twice.
 */
export function compileRoles(roles: readonly Role[]): CompiledScenario {
  const steps: { role: string; step: string }[] = [];
  const names = new Set<string>();
  const compiled = roles.map((role) => {
    if (names.has(role.name)) throw invalid(`Two roles are named ‘${role.name}’.`);
    names.add(role.name);
    const stepNames = new Set<string>();
    const known = new Set<string>();
    const compileAll = (all: readonly ScenarioStep[]): CompiledStep[] =>
      all.map((step) => {
        if (stepNames.has(step.name)) throw invalid(`Two steps of role ‘${role.name}’ are named ‘${step.name}’.`);
        stepNames.add(step.name);
        const result = compileStep(role, step, steps.length, known);
        steps.push({ role: role.name, step: step.name });
        if (result.assetsIndex !== null) steps.push({ role: role.name, step: `${step.name} (assets)` });
        for (const { name } of result.extract) known.add(name);
        return result;
      });
    const once = compileAll(role.once);
    const repeated = compileAll(role.steps);
    const assets = [...once, ...repeated].some((step) => step.assetsIndex !== null);
    return { name: role.name, weight: role.weight, once, steps: repeated, drawn: false, assets };
  });
  return { roles: compiled, steps };
}

/** A role that sends requests drawn from a mix by weight, one after the other and without a pause. */
export function compileMix(mix: readonly MixRequest[], thinkTimeMs = 0): CompiledScenario {
  const total = mix.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  const steps = mix.map((request, index): CompiledStep => {
    reached += request.weight / total;
    const names = Object.keys(request.parameters);
    const good = expectedAnswer(request);
    const name = `${request.method} ${request.path}`;
    return {
      index,
      phrase: name,
      method: request.method,
      path: encodeLiterals(parameterTemplate(request.path, names)),
      headers: headersOf(request.headers, (value) => ({ literals: [value], holes: [] })),
      body: request.body === undefined ? null : { text: parameterTemplate(request.body, names), isJson: looksLikeJson(request.body) },
      multipart: null,
      draws: Object.entries(request.parameters).map(([parameter, of]) => ({ name: parameter, of })),
      extract: [],
      readsBody: good?.wrongBody !== undefined,
      assetsIndex: null,
      expect: new Set(request.expect?.status),
      wrongBody: good?.wrongBody ?? null,
      thinkMs: { min: 0.5 * thinkTimeMs, max: 1.5 * thinkTimeMs },
      upTo: index === mix.length - 1 ? 1 : reached,
    };
  });
  return {
    roles: [{ name: 'mix', weight: 1, once: [], steps, drawn: true, assets: false }],
    steps: mix.map(({ method, path }) => ({ role: 'mix', step: `${method} ${path}` })),
  };
}

function compileStep(role: Role, step: ScenarioStep, index: number, known: ReadonlySet<string>): CompiledStep {
  const phrase = `Step ‘${step.name}’ of role ‘${role.name}’`;
  const template = (text: string): Template => {
    const parsed = parseTemplate(text);
    if (typeof parsed === 'string') throw invalid(`${phrase} cannot be understood: ${parsed}.`);
    const unknown = parsed.holes.find((hole) => hole.kind === 'value' && !known.has(hole.name));
    if (unknown?.kind === 'value') throw invalid(`${phrase} uses ‘${unknown.name}’, which no step before it extracts.`);
    return parsed;
  };
  if (step.body !== undefined && step.multipart !== undefined)
    throw invalid(`${phrase} has a body and multipart parts; it can have one of them.`);
  if (step.method === 'GET' && (step.body ?? step.multipart) !== undefined) throw invalid(`${phrase} is a GET and has a body.`);
  if (step.thinkMs.min > step.thinkMs.max) throw invalid(`${phrase} has a think time whose min is above its max.`);
  const extract = Object.entries(step.extract).map(([name, source]) => {
    const parsed = parseExtractor(source);
    if (typeof parsed === 'string') throw invalid(`${phrase} cannot extract ‘${name}’: ${parsed}.`);
    return { name, take: parsed.extract, readsBody: parsed.readsBody };
  });
  return {
    index,
    phrase,
    method: step.method,
    path: encodeLiterals(template(step.path)),
    headers: headersOf(step.headers, template),
    body: step.body === undefined ? null : { text: template(step.body), isJson: looksLikeJson(step.body) },
    multipart: step.multipart?.map((part) => compilePart(part, phrase, template)) ?? null,
    draws: [],
    extract: extract.map(({ name, take }) => ({ name, take })),
    readsBody: step.assets || extract.some(({ readsBody }) => readsBody),
    assetsIndex: step.assets ? index + 1 : null,
    expect: new Set(step.expect),
    wrongBody: null,
    thinkMs: step.thinkMs,
    upTo: 1,
  };
}

function compilePart(
  part: NonNullable<ScenarioStep['multipart']>[number],
  phrase: string,
  template: (text: string) => Template,
): CompiledPart {
  const { name, fileName, contentType } = part;
  if ((part.text === undefined) === (part.bytes === undefined))
    throw invalid(`Part ‘${name}’ of ${phrase.replace('Step', 'step')} needs either text or bytes.`);
  const head = { name, fileName, contentType };
  return part.bytes === undefined
    ? { ...head, kind: 'text', text: template(part.text ?? '') }
    : { ...head, kind: 'bytes', bytes: part.bytes };
}

function headersOf(headers: Readonly<Record<string, string>>, template: (text: string) => Template): CompiledStep['headers'] {
  return Object.entries(headers)
    .filter(([name]) => !carriedHeader.test(name))
    .map(([name, value]) => {
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw invalid(`“${name.slice(0, 80)}” is not the name of a header.`);
      return { name: name.toLowerCase(), value: template(value) };
    });
}

function parameterTemplate(text: string, names: readonly string[]): Template {
  const { literals, holes } = drawnTemplate(text, names);
  return { literals, holes: holes.map((hole) => ({ kind: 'value', name: names[hole] ?? '' })) };
}

function looksLikeJson(body: string): boolean {
  return /^\s*[[{"]/.test(body);
}

function encodeLiterals({ literals, holes }: Template): Template {
  return { literals: literals.map(encodePath), holes };
}

function invalid(sentence: string): Error {
  return failure('scenario-invalid', sentence, 'Correct the scenario in the load profile.');
}
