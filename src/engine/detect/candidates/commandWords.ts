/** A command line as its words, with the variables that are set before it. */
interface CommandWords {
  env: Record<string, string>;
  words: string[];
}

export interface Command {
  env: Record<string, string>;
  command: string[];
}

/** Programs that only set variables, or become what they are given. */
const inFront = new Set(['exec', 'env', 'cross-env', 'command', 'nohup']);
const longestCommand = 4_000;

/**
 * The words of a command line as a shell would have them. `$PORT` becomes `{port}`, by which a target gets its port. Null where only a shell understands it:
 * pipes, lists, other variables, patterns.
 */
export function commandWords(text: string): CommandWords | null {
  const words = text.length > longestCommand ? null : shellWords(text.trim());
  if (words === null) return null;
  const env: Record<string, string> = {};
  for (const [index, word] of words.entries()) {
    const set = /^([A-Za-z_]\w*)=(.*)$/s.exec(word);
    if (set !== null) env[set[1] ?? ''] = set[2] ?? '';
    else if (!inFront.has(word)) return { env, words: words.slice(index) };
  }
  return null;
}

/** A command line as a target has it: its words, else a shell that reads it. Null for an empty text. */
export function commandOf(text: string): Command | null {
  const plain = commandWords(text);
  if (plain !== null) return { env: plain.env, command: plain.words };
  const line = text.trim();
  return line === '' || line.length > longestCommand ? null : { env: {}, command: ['sh', '-c', line] };
}

/** What a shell does something with; within double quotes only the second kind. */
const acts = /[|&;<>()`$*?[\]~#\n\r{}!]/;
const actsQuoted = /[`$]/;

function shellWords(text: string): string[] | null {
  const words: string[] = [];
  let [word, quote]: [string | null, string] = [null, ''];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote === "'") {
      if (character === "'") quote = '';
      else word = `${word ?? ''}${character}`;
      continue;
    }
    const port = character === '$' ? /^\$(?:PORT\b|\{PORT(?::?-\d+)?\})/.exec(text.slice(at, at + 24))?.[0] : undefined;
    if (port !== undefined) {
      word = `${word ?? ''}{port}`;
      at += port.length - 1;
    } else if (character === '\\') {
      at += 1;
      if (at >= text.length || text[at] === '\n') return null;
      word = `${word ?? ''}${text[at] ?? ''}`;
    } else if (character === '"' || (character === "'" && quote === '')) {
      word ??= '';
      quote = quote === '"' ? '' : character;
    } else if ((quote === '' ? acts : actsQuoted).test(character)) return null;
    else if (quote === '' && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = `${word ?? ''}${character}`;
  }
  if (quote !== '') return null;
  return word === null ? words : [...words, word];
}

/**
 * The words of a call of Node that needs nothing around it; runners of TypeScript become Node with their loader, watchers are left out. Null for anything else.
 */
export function nodeWords([program, ...rest]: readonly string[]): string[] | null {
  const call = ((): string[] | null => {
    if (program === 'node') return rest.filter((word) => !/^--watch(?:-preserve-output|-path=.*)?$/.test(word));
    if (program === 'nodemon') return executedBy(rest) ?? withoutWatcher(rest, nodemon);
    if (program === 'ts-node-dev' || program === 'tsnd') return tsNodeWords(rest);
    if (program === 'tsx') {
      const plain = withoutWatcher(rest[0] === 'watch' ? rest.slice(1) : rest, tsx);
      // As tsx itself starts Node: libraries look there for it.
      return plain === null ? null : ['--require', 'tsx/preflight', '--import', 'tsx', ...plain];
    }
    return program === 'nest' && rest[0] === 'start' ? ['dist/main.js'] : null;
  })();
  return call === null || !call.some((word) => !word.startsWith('-')) ? null : ['node', ...call];
}

/** What nodemon is to execute, before the program that it is given. */
function executedBy(words: readonly string[]): string[] | null {
  const at = words.findIndex((word) => /^(?:-x|--exec)$/.test(word));
  const executed = at === -1 ? null : commandWords(words[at + 1] ?? '');
  if (executed === null || Object.keys(executed.env).length > 0) return null;
  // Its own options come before the program, and nothing else is handed on.
  const others = withoutWatcher([...words.slice(0, at), ...words.slice(at + 2), 'end'], { ...nodemon, program: /./ });
  const given = others?.slice(0, -1) ?? [];
  if (others === null || given.some((word) => word.startsWith('-'))) return null;
  const [program = '', ...rest] = [...executed.words, ...given];
  return program === 'ts-node' ? tsNodeWords(rest) : (nodeWords([program, ...rest])?.slice(1) ?? null);
}

const transpiles = /^(?:-T|--transpile|--transpile-?only)$/i;

/** A program that ts-node compiles, as Node starts it. */
function tsNodeWords(words: readonly string[]): string[] | null {
  const plain = withoutWatcher(words, tsNodeDev);
  const own = words.slice(0, words.length - (plain?.length ?? 0));
  return plain === null ? null : ['-r', own.some((word) => transpiles.test(word)) ? tsNodeLoaders[1] : tsNodeLoaders[0], ...plain];
}

/** What a command needs of ts-node, which only some package managers put where an app finds it. */
export const tsNodeLoaders = ['ts-node/register', 'ts-node/register/transpile-only'] as const;

/** What a watcher is given for itself. */
interface Watcher {
  /** What says that it starts something else than Node, or elsewhere. */
  decides: RegExp;
  /** What is followed by a value. */
  valued: RegExp;
  plain: RegExp;
  /** A program that it hands to Node as it is. */
  program: RegExp;
}

const nodemon: Watcher = {
  decides: /^(?:-x|--exec|--config|--cwd)$/,
  valued: /^(?:-w|--watch|-e|--ext|-i|--ignore|-d|--delay|-s|--signal|--polling-interval)$/,
  plain:
    /^(?:-V|--verbose|-q|--quiet|-L|--legacy-watch|-I|--no-stdin|-C|--on-change-only|--spawn|--exitcrash|--no-colors|--no-update-notifier)$/,
  // Of another ending its table says by what it is started.
  program: /(?:\.[cm]?js|(?:^|\/)[^./]+|^\.\/?)$/,
};
const tsx: Watcher = {
  decides: /^--tsconfig$/,
  valued: /^(?:--include|--exclude|--ignore)$/,
  plain: /^--(?:no-)?(?:cache|clear-screen)$/,
  program: /./,
};
const tsNodeDev: Watcher = {
  decides:
    /^(?:-P|--project|-O|--compiler(?:-options)?|--compilerOptions|--files|--esm|-D|--dir|--cwd(?:-mode)?|-s|--script-mode|--log-error|--swc)$/,
  valued: /^(?:--watch|--ignore-watch|--interval|--debounce|--deps-level|-I|--ignore)$/,
  plain:
    /^(?:--respawn|--rs|--exit-child|--cls|--clear|--poll|--(?:no-)?notify|--(?:no-)?deps|--all-deps|--quiet|--tree-kill|--fork|--dedupe|--pretty|-T|--transpile|--transpile-?only|--transpileOnly)$/,
  program: /./,
};
const valuedOfNode = /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file)$/;

/** Where the program is among the words that Node is given; -1 where there is none. */
export function programAt(words: readonly string[]): number {
  return words.findIndex((word, index) => !word.startsWith('-') && !valuedOfNode.test(words[index - 1] ?? ''));
}

/** What a watcher hands to Node; null where that is not known, or nothing. */
function withoutWatcher(words: readonly string[], { decides, valued, plain, program }: Watcher): string[] | null {
  const ofNode: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const name = word.replace(/=.*$/s, '');
    const isPair = name === word;
    if (decides.test(name)) return null;
    if (!word.startsWith('-')) return program.test(word) ? [...ofNode, ...words.slice(at)] : null;
    if (valued.test(name)) at += isPair ? 1 : 0;
    else if (!plain.test(name)) {
      const taken = isPair && valuedOfNode.test(name) ? 2 : 1;
      ofNode.push(...words.slice(at, at + taken));
      at += taken - 1;
    }
  }
  return null;
}

/** The program file in the words of a call of Node; null where none is named by an ending. */
export function programOf(words: readonly string[]): string | null {
  return words.find((word, index) => index > 0 && /\.[cm]?[jt]s$/.test(word) && !(words[index - 1] ?? '').startsWith('-')) ?? null;
}
