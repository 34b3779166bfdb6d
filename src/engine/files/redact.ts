import { literalPattern } from '../../model/domain/plainText.ts';

export const redacted = '[redacted]';

/** How the name of a secret ends: `db.password`, `NPM_TOKEN`, `x-api-key`. `password_encryption` names no secret, since more follows. */
const secretWord = String.raw`(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key|account[_-]?key|credentials?)`;

/** What names a secret by its end: variables, headers, options. */
export const secretName = new RegExp(String.raw`(?:${secretWord}|authorization|cookie|[_-](?:pass|pw|auth))$`, 'i');

/** A value in quotes, whose end a cut may have removed, or up to the next blank or separator. */
const quotedOrPlain = String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[^\s"',;&)}\]]+`;

// These run over logs of any content: each may begin only where it cannot rescan what another match attempt has scanned already.
const assignment = new RegExp(String.raw`((?:${secretWord}|[_-](?:pass|pw))["']?\s{0,3}[=:]\s{0,3})(${quotedOrPlain})`, 'gi');
const option = new RegExp(String.raw`((?<!\S)--?[A-Za-z0-9._-]{0,60}?${secretWord}\s{1,3})(?!-)(${quotedOrPlain})`, 'gi');
const secretOptionAlone = new RegExp(String.raw`^--?[A-Za-z0-9._-]{0,60}?${secretWord}$`, 'i');
const authorization =
  /\b((?:proxy-)?authorization["']?\s{0,3}[:=]\s{0,3}["']?)(?:(basic|bearer|digest|negotiate|token)\s{1,3})?[^\s"',;]+/gi;
/** What SQL writes without a sign between: `ALTER ROLE a PASSWORD 'x'`, `IDENTIFIED BY 'x'`. */
const sqlSecret =
  /\b((?:password|passphrase|identified\s{1,3}(?:with\s{1,3}\S{1,40}\s{1,3})?by)\s{1,3})(?:e?'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|\\.)*"|\$[a-z_]{0,20}\$[^$]*\$[a-z_]{0,20}\$)/gi;
/** Oracle's addresses hold user and password without slashes before them. */
const oracleUser = /\b(jdbc:oracle:[a-z]{1,10}:)[^\s/@]{1,100}\/[^\s@]{1,200}@/gi;
const bearer = /\b(bearer\s{1,3})[A-Za-z0-9._~+/-]{8,}=*/gi;
const signature = /([?&](?:sig|signature|x-amz-signature|x-goog-signature)=)[^\s&"'<>]+/gi;
const cookie = /\b((?:set-)?cookie["']?\s{0,3}:\s{0,3})[^\r\n"']+/gi;
const userInfo = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>@]{0,300}(?:@[^\s/?#"'<>@]{0,300})*@/gi;
/** The same where a line was cut before its `@`; a number may be a port. */
const cutUserInfo = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>@:…]{0,100}:(?!\d{0,5}…)[^\s/?#"'<>@…]{1,300}(?=…)/gi;
/**
 * Keys known by their form: AWS, GitHub, GitLab, npm, PyPI, Docker, Slack, Stripe, Shopify, Google, SendGrid, OpenAI and Anthropic, Hugging Face, Vault,
 * DigitalOcean, JSON Web Tokens, private keys.
 */
const knownForms = [
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}\b/g,
  /\bgl(?:pat|ptt|dt|rt|cbt|soat|agent)-[A-Za-z0-9_-]{20,}/g,
  /\bpypi-[A-Za-z0-9_-]{40,}/g,
  /\bdckr_[po]at_[A-Za-z0-9_-]{20,}/g,
  /\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}\b/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bsk-(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{20,}/g,
  /\bhf_[A-Za-z0-9]{30,}\b/g,
  /\bhv[bsr]\.[A-Za-z0-9_-]{20,}/g,
  /\bdo[opr]_v1_[a-f0-9]{64}\b/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\b(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,}/g,
  /\bhooks\.slack\.com\/services\/[A-Za-z0-9/]{20,}/g,
  /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
];

/**
 * A text (a log, an error's detail) without its secrets: the values of `secrets` anywhere in it, passwords and tokens in `name=value`, `name: value`, `--name
 * value` and SQL's `PASSWORD 'value'`, `Authorization` and cookie headers, user and password in URLs, and keys of well-known form. It removes rather too much
 * than too little.
 *
 * What a cut has left of a secret is taken out too. In a log any end of a line may be a cut; in a `value` (a label, a path, a message) only “…” is one, since
 * what begins or ends there is a word of its own.
 *
 * @param secrets values known to be secret, such as the database's generated password; those shorter than 4 characters are ignored, those shorter than 8 count
 * only as whole words, and short numbers only where something is set to them: figures stay.
 */
export function redactText(text: string, secrets: readonly string[] = [], within: keyof typeof cutBeside = 'log'): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length < shortest) continue;
    for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      if (result.includes(form)) result = result.replace(patternOf(form), redacted);
      if (form.length >= distinct) result = withoutParts(result, form, cutBeside[within]);
    }
  }
  for (const user of [oracleUser, userInfo]) result = result.replace(user, `$1${redacted}@`);
  result = result.replace(cutUserInfo, `$1${redacted}`);
  for (const form of knownForms) result = result.replace(form, redacted);
  for (const marked of [authorization, bearer, sqlSecret, cookie, signature, assignment, option])
    result = result.replace(marked, `$1${redacted}`);
  return result;
}

const shortest = 4;
const distinct = 8;
/** A shorter part of a secret could be the beginning of any word. */
const shortestPart = 6;

/** The character next to a cut; none is there at the ends of the whole text. */
const cutBeside = { log: /^$|[…\r\n]/, value: /…/ } as const;

/** Without what a cut has left of a secret: its beginning before a cut, its end behind one. */
function withoutParts(text: string, secret: string, cut: RegExp): string {
  const parts: { from: number; to: number }[] = [];
  const [head, tail] = [secret.slice(0, shortestPart), secret.slice(-shortestPart)];
  for (let from = text.indexOf(head); from !== -1; from = text.indexOf(head, from + 1)) {
    let to = from + shortestPart;
    while (to - from < secret.length && text[to] === secret[to - from]) to += 1;
    if (cut.test(text[to] ?? '')) parts.push({ from, to });
  }
  for (let at = text.indexOf(tail); at !== -1; at = text.indexOf(tail, at + 1)) {
    const to = at + shortestPart;
    let from = at;
    while (from > 0 && to - from < secret.length && text[from - 1] === secret[secret.length - (to - from) - 1]) from -= 1;
    if (cut.test(text[from - 1] ?? '')) parts.push({ from, to });
  }
  if (parts.length === 0) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of parts.sort((one, other) => one.from - other.from)) {
    if (from >= done) pieces.push(text.slice(done, from), redacted);
    done = Math.max(done, to);
  }
  return [...pieces, text.slice(done)].join('');
}

/** Where a secret counts as such. A short one may be a part of other words, and a short number a figure. */
function patternOf(secret: string): RegExp {
  const text = literalPattern(secret);
  if (secret.length >= distinct) return new RegExp(text, 'g');
  const alone = `${text}(?![\\p{L}\\p{N}_])`;
  if (/^[\d.,]+$/.test(secret)) return new RegExp(`(?<=[=:]["']?|["'@/])${alone}(?![.,]\\d|\\s?(?:%|[µumn]?s\\b|req|[kMG]i?B))`, 'gu');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${alone}`, 'gu');
}

/** Puts asterisks over every known secret in a file that must keep its length, such as a recording. Short ones could be anything there, and stay. */
export function maskBytes(bytes: Uint8Array, secrets: readonly string[]): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const secret of secrets) {
    if (secret.length < distinct) continue;
    for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      const wanted = Buffer.from(form);
      for (let at = view.indexOf(wanted); at !== -1; at = view.indexOf(wanted, at + wanted.length)) view.fill('*', at, at + wanted.length);
    }
  }
}

/** A command line without its secrets; `--password` followed by its value as the next argument is seen too. */
export function redactArgv(argv: readonly string[], secrets: readonly string[] = []): string[] {
  return argv.map((argument, index) => {
    const previous = index > 0 ? argv[index - 1] : undefined;
    return previous !== undefined && secretOptionAlone.test(previous) && !argument.startsWith('-')
      ? redacted
      : redactText(argument, secrets, 'value');
  });
}

/** Every string within a JSON value redacted; arrays under the name `argv` as command lines. Numbers, keys and shape stay. */
export function redactStrings<T>(value: T, secrets: readonly string[] = []): T {
  return redactValue(value, secrets, undefined) as T;
}

/** Whether it is the value of a header that its name calls secret; `{{…}}` is filled in when it is sent, and says nothing. */
function isHeaderSecret(within: string | undefined, name: string, value: unknown): boolean {
  return within === 'headers' && typeof value === 'string' && secretName.test(name) && !value.includes('{{');
}

function redactValue(value: unknown, secrets: readonly string[], name: string | undefined): unknown {
  if (typeof value === 'string') return redactText(value, secrets, 'value');
  if (Array.isArray(value)) {
    return name === 'argv' && value.every((item) => typeof item === 'string')
      ? redactArgv(value, secrets)
      : value.map((item) => redactValue(item, secrets, undefined));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, isHeaderSecret(name, key, item) ? redacted : redactValue(item, secrets, key)]),
    );
  }
  return value;
}
