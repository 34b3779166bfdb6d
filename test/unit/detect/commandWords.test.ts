import { describe, expect, it } from 'vitest';
import { commandOf, commandWords, nodeWords } from '../../../src/engine/detect/candidates/commandWords.ts';
import { Scripts } from '../../../src/engine/detect/candidates/servesByWords.ts';

describe('the words of a command line', () => {
  it.each([
    ['node server.js', {}, ['node', 'server.js']],
    ['NODE_ENV=production PORT=80 node "a b.js" \'$x\'', { NODE_ENV: 'production', PORT: '80' }, ['node', 'a b.js', '$x']],
    ['cross-env A=1 node x.js', { A: '1' }, ['node', 'x.js']],
    ['exec env A= java -jar a\\ b.jar --port=$PORT', { A: '' }, ['java', '-jar', 'a b.jar', '--port={port}']],
    ['bin/run "${PORT:-3000}"', {}, ['bin/run', '{port}']],
  ])('are those of a shell: %s', (text, env, words) => {
    expect(commandWords(text)).toEqual({ env, words });
  });

  it.each(['a && b', 'a | b', 'a $HOME', 'a `b`', 'a "$(b)"', 'a *.js', 'a > b', 'a "b', 'a \\', 'A=1', '', 'a\nb', 'x '.repeat(3_000)])(
    'are none where only a shell can tell: %s',
    (text) => {
      expect(commandWords(text)).toBeNull();
    },
  );

  it('are given to a shell where only that can tell', () => {
    expect(commandOf('cd src && node a.js')).toEqual({ env: {}, command: ['sh', '-c', 'cd src && node a.js'] });
    expect(commandOf(' ')).toBeNull();
  });

  it('are a call of Node where what stands around it is a watcher or a loader', () => {
    expect(nodeWords(['nodemon', 'a.js'])).toEqual(['node', 'a.js']);
    expect(nodeWords(['tsx', 'watch', 'a.ts'])).toEqual(['node', '--require', 'tsx/preflight', '--import', 'tsx', 'a.ts']);
    expect(nodeWords(['node', '--watch', 'a.js', '-x'])).toEqual(['node', 'a.js', '-x']);
    expect(nodeWords(['node', '--version'])).toBeNull();
    expect(nodeWords(['next', 'start'])).toBeNull();
  });

  it.each([
    ['nodemon -w src --ext js,json -q server.js --port 1', 'node server.js --port 1'],
    ['nodemon --watch=src --inspect -r dotenv/config bin/www', 'node --inspect -r dotenv/config bin/www'],
    ['nodemon .', 'node .'],
    [
      'tsx watch --clear-screen=false --ignore dist --env-file=.env src/a.ts',
      'node --require tsx/preflight --import tsx --env-file=.env src/a.ts',
    ],
    ['tsx --no-cache a.ts', 'node --require tsx/preflight --import tsx a.ts'],
    ['node --watch-path=src a.js', 'node a.js'],
    ['nodemon --exec babel-node server.js', null],
    ['nodemon -x "node -r x" server.js', 'node -r x server.js'],
    ['nodemon -w src -e ts --exec ts-node src/server.ts', 'node -r ts-node/register src/server.ts'],
    [
      `nodemon --exec 'ts-node -T -r tsconfig-paths/register src/a.ts'`,
      'node -r ts-node/register/transpile-only -r tsconfig-paths/register src/a.ts',
    ],
    ['nodemon -x "A=1 node" server.js', null],
    ['nodemon -x "npm run build" server.js', null],
    [
      'ts-node-dev --respawn --transpile-only --ignore-watch node_modules src/a.ts --x',
      'node -r ts-node/register/transpile-only src/a.ts --x',
    ],
    ['tsnd --inspect -r tsconfig-paths/register --notify=false a.ts', 'node -r ts-node/register --inspect -r tsconfig-paths/register a.ts'],
    ['ts-node-dev --files src/a.ts', null],
    ['nodemon src/server.ts', null],
    ['nodemon --config dev.json server.js', null],
    ['nodemon', null],
    ['tsx --tsconfig other.json a.ts', null],
  ])('keep for Node what a watcher hands on: %s', (text, call) => {
    expect(nodeWords(commandWords(text)?.words ?? [])).toEqual(call?.split(' ') ?? null);
  });
});

describe('a script', () => {
  const scripts = {
    build: 'tsc && vite build',
    go: 'npm run build && node dist/a.js',
    all: 'run-s build test',
    test: 'vitest',
    loop: 'npm run loop',
  };
  it.each([
    'node a.js',
    'tsc && node dist/a.js',
    'next start',
    'webpack serve',
    'npm start',
    'npm run go',
    'yarn go',
    'concurrently "npm:a" "npm:b"',
    'unleash --port 1',
    'dotenv -- node a.js',
    'node build/index.js',
    'node --inspect .',
    'node node_modules/next/dist/bin/next start',
    'node --inspect ./node_modules/.bin/sails lift',
    'node run.js -v',
  ])('can be a service: %s', (text) => {
    expect(new Scripts(scripts).canServe(text)).toBe(true);
  });

  it.each([
    'vitest run',
    'tsc -p .',
    'next build',
    'rm -rf dist && tsc',
    'npm run build',
    'npm run all',
    'npm test',
    'npm ci',
    'yarn build',
    'node --test',
    'node scripts/build.js',
    'node test/run.test.mjs',
    'ts-node-dev src/db/runMigrations.ts',
    'node db/createTables',
    'node --require ts-node/register ./node_modules/typeorm/cli.js',
    'node node_modules/knex/bin/cli.js migrate:latest',
    'node ./node_modules/.bin/mocha --recursive',
    'typeorm-ts-node-commonjs',
    'prisma migrate dev',
    'npx eslint .',
    'cross-env CI=1 jest',
    'NODE_ENV=test mocha',
    'npm run loop',
    'npm run lint:fix',
  ])('ends by itself: %s', (text) => {
    expect(new Scripts(scripts).canServe(text)).toBe(false);
  });
});
