import { commandWords, programAt } from './commandWords.ts';

/** Programs that check, build, copy or ask, and then end. It only sorts proposals: what is not in it is proposed. */
const ends = new Set(
  `api-extractor artillery autocannon ava aws babel biome c8 cat cd changeset chmod clear codecov commitlint copyfiles coveralls cp cpx cpy curl cypress cz db-migrate del
  del-cli depcheck depcruise docker docker-compose documentation drizzle-kit echo esbuild eslint exit export false find flyctl gcloud git graphql-codegen
  grep gzip helm heroku husky jasmine jest jsdoc jshint k6 karma knex knip kubectl lab lerna lint-staged ln ls madge microbundle mikro-orm mikro-orm-esm mkdir mkdirp mocha mv
  ncc ncu node-pg-migrate np npm-check nyc open oxlint patch-package pkg playwright prettier release-it rimraf rm rollup sed semantic-release sequelize
  sequelize-cli set size-limit sleep source standard standard-version stylelint sucrase swc tap tape tar test touch true tsc tsdown tslint tsup typedoc
  typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm unbuild uvu vitest vue-tsc wait-on wdio webpack wget xo zip`.split(/\s+/),
);
/** What the other programs are given when they are to end: `next build`, `prisma migrate`. */
const endsWhenTold =
  /^(?:build|bundle|check|clean|codegen|compile|db:\w+|deploy|e2e|eject|export|format|gen|generate|info|init|install|ci|i|lint|migrate|migration\S*|new|pack|pretty|publish|push|release|seed|sync|test|type-?check|typegen|uninstall|update|upgrade|version)$/;
/** A file of one’s own that does the same. */
const endingFile =
  /(?:^|[/._-])(?:bench(?:mark)?s?|build|clean|codegen|deploy|generate|install|lint|migrat(?:e|ions?)|release|seeds?|setup|specs?|tests?|wait(?:-for(?:-[\w-]+)?)?)(?:\.[cm]?[jt]s)?$|[a-z](?:Migrat(?:e|ions?)|Seeds?|Setup|Tests?|Tables?)(?:\.[cm]?[jt]s)?$/;
/** The program of a package: `node_modules/.bin/knex`, `./node_modules/typeorm/cli.js`. */
const ofPackage = /(?:^|\/)node_modules\/(?:\.bin\/|@[^/]+\/)?([^/]+)(?:\/|$)/;
const serves = /^(?:serve|start|--serve(?:=.*)?)$/;
const node = new Set(['node', 'nodemon', 'tsx', 'ts-node', 'ts-node-dev', 'bun', 'deno']);
const managers = new Set(['npm', 'yarn', 'pnpm', 'bun']);
const runners = new Set(['npx', 'bunx', 'dotenv', 'env-cmd', 'doppler', 'cross-env-shell']);
const several = new Set(['npm-run-all', 'npm-run-all2', 'run-s', 'run-p']);
/** Scripts that call each other in a circle end nowhere. */
const deepest = 8;
const longestScript = 4_000;

/** The scripts of a package.json; each is examined once. */
export class Scripts {
  readonly #known = new Map<string, boolean>();

  constructor(readonly texts: Readonly<Record<string, string>>) {}

  /** Whether what a script runs can be a service, which runs until it is ended: at least one of its commands is not known to end on its own. */
  canServe(text: string, depth = 0): boolean {
    return text
      .slice(0, longestScript)
      .split(/&&|\|\||[;&|\n]/)
      .some((part) => {
        const words = commandWords(part)?.words ?? part.trim().split(/\s+/);
        return words[0] !== '' && this.wordsServe(words, depth);
      });
  }

  /** As {@link canServe}, for one command. */
  wordsServe([given = '', ...rest]: readonly string[], depth = 0): boolean {
    const program = given.split('/').at(-1) ?? '';
    const told = rest.filter((word) => !word.startsWith('-'));
    const [first = '', second = ''] = told;
    if (several.has(program)) return told.some((name) => this.#scriptServes(name, depth));
    if (managers.has(program) && first !== '' && !/\.[cm]?[jt]sx?$/.test(first)) {
      if (first === 'run' || first === 'run-script') return this.#scriptServes(second, depth);
      if (first === 'exec' || first === 'dlx' || first === 'x') return this.wordsServe(told.slice(1), depth);
      return Object.hasOwn(this.texts, first) ? this.#scriptServes(first, depth) : !endsWhenTold.test(first) && !ends.has(first);
    }
    if (runners.has(program)) return first === '' || this.wordsServe(told, depth);
    if (node.has(program)) {
      const at = programAt(rest);
      const [own, [file = '', ...its]] = at === -1 ? [rest, []] : [rest.slice(0, at), rest.slice(at)];
      if (own.some((word) => /^(?:--test|--check|-c|-e|--eval|-p|--print|-v|--version)$/.test(word))) return false;
      const tool = ofPackage.exec(file)?.[1];
      return tool === undefined ? !endingFile.test(file) : this.wordsServe([tool, ...its], depth);
    }
    if (rest.some((word) => serves.test(word))) return true;
    return !ends.has(program) && !endsWhenTold.test(first);
  }

  #scriptServes(name: string, depth: number): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const text = Object.hasOwn(this.texts, name) ? this.texts[name] : undefined;
    // For a script that is elsewhere, or a pattern, only the name is known.
    if (text === undefined) return !endsWhenTold.test(name.split(':')[0] ?? '');
    if (depth >= deepest) return false;
    this.#known.set(name, false);
    const can = this.canServe(text, depth + 1);
    this.#known.set(name, can);
    return can;
  }
}
