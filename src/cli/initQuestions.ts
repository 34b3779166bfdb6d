import { type Finding, type FindingOf, type FoundService, type Question, findingsOf } from '../model/domain/detection.ts';
import { askText } from './confirm.ts';
import { askedRoute } from './initRoutes.ts';
import type { Answering } from './initOptions.ts';

/** What a person was asked, and what it was answered with. */
export interface Answered {
  question: string;
  answer: string;
}

/** What can be asked of a person in a word: what is proposed, and what follows from the answer. Null where it is none. */
interface Asked {
  part: Question['part'];
  proposal: string;
  means: (answer: string) => Finding | null;
}

/**
 * Asks for what is still open of a service, one question each; Enter accepts the proposal, or leaves the question open. With `yes`, every proposal is
 * accepted. Without a terminal, nobody is asked. Open questions are written into the file.
 */
export async function askOpen(service: FoundService, { yes, json }: Answering, signal: AbortSignal) {
  const answered: Answered[] = [];
  let known = service;
  for (const { part, proposal, means } of openOf(service)) {
    const question = service.questions.find((one) => one.part === part)?.text;
    if (question === undefined) continue;
    const answer = yes || json ? proposal : await askText(question, proposal, signal);
    const finding = answer === null || answer === '' ? null : means(answer);
    if (answer === null || finding === null) continue;
    answered.push({ question, answer });
    if (answer !== proposal) known = withAnswer(known, finding);
  }
  return { service: known, answered };
}

function openOf({ findings }: FoundService): Asked[] {
  const routes = findingsOf(findings, 'route');
  const first = routes.find(({ route }) => route.weight > 0);
  const isOpen = !routes.some(({ route, seen }) => route.weight > 0 && seen === true);
  return [
    ...(isOpen ? [{ part: 'route', proposal: first?.route.path ?? '', means: routeOf } as const] : []),
    { part: 'postgres', proposal: '', means: addressOf },
    { part: 'setting', proposal: '', means: poolOf },
  ];
}

const because = 'as it was answered';

function routeOf(answer: string): FindingOf<'route'> {
  const route = askedRoute(answer, 'The path');
  return { part: 'route', title: `${route.method} ${route.path}`, because, sure: true, route };
}

function addressOf(name: string): FindingOf<'postgres'> | null {
  return isVariable(name)
    ? { part: 'postgres', title: `PostgreSQL’s address from ${name}`, because, sure: false, env: { url: name } }
    : null;
}

function poolOf(name: string): FindingOf<'setting'> | null {
  const spec = { kind: 'number', label: 'Pool size', min: 1, max: 256, default: 10, env: name } as const;
  return isVariable(name) ? { part: 'setting', title: `pool size from ${name}`, because, sure: false, name: 'pool', spec } : null;
}

function isVariable(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** A service with an answer in place of the question. */
function withAnswer(service: FoundService, answer: Finding): FoundService {
  const others = service.findings.filter((one) => one.part !== answer.part || (one.part === 'route' && one.seen === true));
  return { ...service, findings: [...others, answer], questions: service.questions.filter(({ part }) => part !== answer.part) };
}
