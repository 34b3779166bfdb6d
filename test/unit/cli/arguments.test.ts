import { describe, expect, it } from 'vitest';
import { noK6Params } from '../../../src/model/domain/generator.ts';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { parsedCommand } from '../../support/parsedCommand.ts';

function parse(line: string): unknown {
  return parsedCommand(line.split(' ').filter((word) => word !== ''));
}

describe('a command line', () => {
  it('of init takes a command as it stands, behind its own options, and routes', () => {
    expect(parse('init -y')).toMatchObject({ name: 'init', yes: true, command: [], routes: [] });
    expect(parse('init -- node --inspect a.js --json -y')).toMatchObject({
      json: false,
      yes: false,
      command: ['node', '--inspect', 'a.js', '--json', '-y'],
    });
    expect(parse('init -y --json --route /a/:id -- A=1 bin/kc.sh --yes')).toMatchObject({
      json: true,
      yes: true,
      command: ['A=1', 'bin/kc.sh', '--yes'],
      routes: [{ method: 'GET', path: '/a/:id', parameters: { id: { min: 1, max: 100 } } }],
    });
    expect(parsedCommand(['init', '--route', 'post /orders'])).toMatchObject({ routes: [{ method: 'POST', path: '/orders' }] });
    for (const route of ['orders', 'FETCH /orders', '/a b']) expect(() => parsedCommand(['init', '--route', route])).toThrow(FailureError);
  });

  it('of traffic names files, or what is recorded', () => {
    expect(parse('traffic a.har b.har -t shop')).toMatchObject({
      files: ['a.har', 'b.har'],
      record: null,
      target: 'shop',
      profileName: 'a',
    });
    expect(parse('traffic --record 3000 --listen 8080')).toMatchObject({
      record: 3000,
      listen: 8080,
      target: null,
      profileName: 'recorded',
    });
    expect(parse('traffic --record shop')).toMatchObject({ record: 'shop', listen: null, target: 'shop' });
    for (const line of ['traffic', 'traffic a.har --record 3000', 'traffic a.har --listen 8080', 'traffic --record 99999'])
      expect(() => parse(line)).toThrow(FailureError);
  });

  it('of k6 says what goes out, what comes in, and how many of it put the load on', () => {
    expect(parse('export k6 last -o out --url http://shop:8080 --parallelism 4')).toMatchObject({
      name: 'export k6',
      action: 'export',
      source: 'last',
      folder: 'out',
      url: 'http://shop:8080',
      parallelism: 4,
    });
    expect(parse('import k6 plan.json a.csv.gz --as previous')).toMatchObject({
      name: 'import k6',
      action: 'import',
      files: ['plan.json', 'a.csv.gz'],
      as: 'previous',
    });
    expect(parse('run -t node --generator k6=3')).toMatchObject({ request: { generator: { kind: 'k6', processes: 3 } } });
    expect(parse('experiment mine --generator k6')).toMatchObject({ keep: { generator: { kind: 'k6', processes: 1 } } });
    const cluster = '--k6-context staging --k6-namespace load --k6-url http://10.0.0.1:{port}/';
    expect(parse(`tune -t node --set pool=2,4 --generator k6-operator=2 ${cluster}`)).toMatchObject({
      request: { generator: { kind: 'k6-operator', processes: 2 } },
      k6: { path: null, context: 'staging', namespace: 'load', url: 'http://10.0.0.1:{port}' },
    });
    for (const line of [
      'run -t node --generator k6-operator --k6-url http://10.0.0.1/path',
      'export k6 last -o out --url http://10.0.0.1:{port}',
      'export k6 last',
      'export k6 last -o out --url http://shop:8080/path',
      'export',
      'import wrk a.csv',
      'run -t node --generator k6=0',
      'run -t node --generator wrk',
    ])
      expect(() => parse(line), line).toThrow(FailureError);
  });

  it('of a run becomes its request', () => {
    expect(
      parse(
        'run --target node --target java --set pool=2,4,8 --set threads=50 --load steady --route /ads/:id --connections 16 --duration 5 --rounds 3 --seed 7 --json',
      ),
    ).toMatchObject({
      name: 'run',
      json: true,
      request: {
        targets: ['node', 'java'],
        settings: { pool: [2, 4, 8], threads: [50] },
        load: 'steady',
        route: '/ads/:id',
        connections: [16],
        durationS: 5,
        rounds: 3,
        seed: 7,
      },
    });
    expect(parse('run -t node')).toEqual({
      name: 'run',
      json: false,
      workspace: process.cwd(),
      node: null,
      java: null,
      postgresUrl: null,
      postgresMode: 'own',
      allowHosts: [],
      allowSql: [],
      k6: noK6Params,
      request: { targets: ['node'], settings: {}, load: 'steady' },
    });
  });

  it('leaves the target of a run and of a tuning to the folder where none is named', () => {
    expect(parse('run')).toMatchObject({ name: 'run', request: { targets: [] } });
    expect(parse('tune --set pool=2,4')).toMatchObject({ name: 'tune', request: { targets: [] } });
  });

  it('of a run may have a budget and a fixed rate', () => {
    expect(parse('run -t node --budget 2min --rate 200')).toMatchObject({ request: { budgetS: 120, ratePerS: 200 } });
    expect(parse('run -t node')).not.toHaveProperty('request.budgetS');
  });

  it('of a run asks for recordings only when it is told to, and no other command takes that', () => {
    expect(parse('run --target node --record')).toMatchObject({ request: { record: { events: [], seconds: 10 } } });
    expect(parse('run --target node')).not.toHaveProperty('request.record');
    expect(() => parse('runs --record')).toThrow(/record/);
  });

  it('of a run says what stands around the instances', () => {
    expect(
      parse('run -t node --set instances=2 --proxy least_conn --proxy-static --proxy-close --cpu-share 0.5 --total-connections 16'),
    ).toMatchObject({
      request: {
        settings: { instances: [2] },
        topology: { proxy: { balance: 'least-conn', staticFiles: true, upstreamKeepAlive: false }, cpuShare: 0.5, totalConnections: 16 },
      },
    });
    expect(parse('run -t node --cpu-share 1')).toMatchObject({ request: { topology: { proxy: null, cpuShare: 1 } } });
    expect(parse('run -t node')).not.toHaveProperty('request.topology');
    for (const line of [
      'run -t node --proxy fastest',
      'run -t node --proxy-static',
      'run -t node --cpu-share 0',
      'tune -t node -s pool=2,4 --proxy fastest',
    ])
      expect(() => parse(line)).toThrow();
  });

  it('names each target, number of connections and value once, however often it was said', () => {
    expect(parse('run --target node,java,node --connections 4,8,4 --set pool=2,4 --set pool=4,8')).toMatchObject({
      request: { targets: ['node', 'java'], connections: [4, 8], settings: { pool: [2, 4, 8] } },
    });
  });

  it('of a tuning becomes its request', () => {
    expect(
      parse(
        'tune --target java --set pool=2..64 --set threads=8,16,32 --load steady --route /wait?ms=20 --connections 128 --budget 2min --delta 10% --mode live --confirm --proxy round-robin --cpu-share 0.5 --total-connections 40 --seed 3 --save mine --json',
      ),
    ).toMatchObject({
      name: 'tune',
      json: true,
      saveAs: 'mine',
      request: {
        targets: ['java'],
        settings: { pool: [2, 4, 8, 16, 32, 64], threads: [8, 16, 32] },
        load: 'steady',
        route: '/wait?ms=20',
        connections: 128,
        budgetS: 120,
        delta: 0.1,
        mode: 'live',
        confirm: true,
        topology: { proxy: { balance: 'round-robin' }, cpuShare: 0.5, totalConnections: 40 },
        seed: 3,
      },
    });
    expect(parse('tune -t java -s pool=2..64')).toMatchObject({
      saveAs: null,
      request: {
        targets: ['java'],
        settings: { pool: [2, 4, 8, 16, 32, 64] },
        load: 'steady',
        budgetS: 120,
        delta: 0.05,
        mode: 'auto',
        confirm: false,
      },
    });
  });

  it('takes an objective for a run and for a tuning', () => {
    const words = (command: string): string[] => [
      command,
      '--target',
      'java',
      '--set',
      'pool=2..8',
      '--slo',
      'p99 <= 50 ms, errors < 0.1 %',
    ];
    for (const command of ['run', 'tune'])
      expect(parsedCommand(words(command))).toMatchObject({ request: { slo: { p99Ms: 50, errorShare: 0.001 } } });
  });

  it.each([
    ['90', 90],
    ['90s', 90],
    ['90 s', 90],
    ['2m', 120],
    ['2 min', 120],
    ['1 min 30 s', 90],
    ['1.5 minutes', 90],
    ['1h', 3600],
  ])('reads a budget of %s', (text, budgetS) => {
    expect(parsedCommand(['tune', '-t', 'java', '-s', 'pool=2,4', '--budget', text])).toMatchObject({ request: { budgetS } });
  });

  it('names an experiment, or asks for the list of them', () => {
    expect(parse('experiment java-pool')).toMatchObject({ name: 'experiment', experiment: 'java-pool' });
    expect(parse('experiment ./mine.json --json')).toMatchObject({ name: 'experiment', experiment: './mine.json', json: true });
    expect(parse('experiment --list')).toMatchObject({ name: 'experiment', experiment: null });
  });

  it('compares two runs, or one trial of each', () => {
    expect(parse('compare a b')).toMatchObject({ a: 'a', b: 'b', trials: [] });
    expect(parse('compare a a --trial pool=2 --trial pool=8')).toMatchObject({ trials: ['pool=2', 'pool=8'] });
  });

  it('of the other commands becomes their parameters', () => {
    expect(parse('compare last previous --workspace /srv')).toMatchObject({ name: 'compare', a: 'last', b: 'previous', workspace: '/srv' });
    expect(parse('report last -o a.html')).toMatchObject({ name: 'report', run: 'last', output: 'a.html', format: 'html' });
    expect(parse('report last -o a.MD')).toMatchObject({ format: 'markdown' });
    expect(parse('report last -o table.csv')).toMatchObject({ format: 'csv' });
    expect(parse('report last -o page --format md')).toMatchObject({ output: 'page', format: 'markdown' });
    expect(parse('report last')).toMatchObject({ output: null, format: 'html' });
    expect(parse('runs --json')).toMatchObject({ name: 'runs', json: true });
    expect([parse('check'), parse('check --lab')]).toMatchObject([{ lab: false }, { lab: true }]);
    expect(parse('check --java /opt/jdk/bin/java --postgres-url postgres://me@localhost/db')).toMatchObject({
      name: 'check',
      java: '/opt/jdk/bin/java',
      postgresUrl: 'postgres://me@localhost/db',
    });
    expect(parse('delete abc')).toMatchObject({ name: 'delete', run: 'abc' });
    expect(parse('databases')).toMatchObject({ name: 'databases', remove: [], yes: false });
    expect(parse('databases --remove a --remove b --yes')).toMatchObject({ remove: ['a', 'b'], yes: true });
    expect(parse('check --postgres-mode read-only --allow-host db --allow-sql db:5432/shop')).toMatchObject({
      postgresMode: 'read-only',
      allowHosts: ['db'],
      allowSql: ['db:5432/shop'],
    });
    expect(parse('stop')).toMatchObject({ name: 'stop' });
    expect(parse('check-routes')).toMatchObject({ name: 'check-routes', targets: [], routes: [] });
    expect(parse('check-routes -t shop,users -t shop --route /items')).toMatchObject({ targets: ['shop', 'users'], routes: ['/items'] });
    expect(parse('predict')).toMatchObject({ name: 'predict', run: 'last', trial: null, rttMs: undefined });
    expect(
      parse('predict abc --trial pool=8 --rtt 500us --app-cores 0.5 --database-cores 8 --instances 2 --pool 10 --clients 64'),
    ).toMatchObject({
      run: 'abc',
      trial: 'pool=8',
      rttMs: 0.5,
      appCores: 0.5,
      databaseCores: 8,
      instances: 2,
      pool: 10,
      clients: 64,
    });
    expect(() => parse('predict --rtt near')).toThrow('--rtt: “near” is no time');
    expect(parse('export prometheus')).toMatchObject({ name: 'export prometheus', run: 'last', output: null });
    expect(parse('export otlp abc --trial a -o run.otlp')).toMatchObject({
      name: 'export otlp',
      source: 'abc',
      trials: ['a'],
      format: 'otlp',
      output: 'run.otlp',
    });
  });

  it('that is mistyped is answered with what may have been meant', () => {
    expect(() => parse('rum')).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ cure: expect.stringContaining('run') }) }),
    );
    expect(() => parse('experiment C1 --ful')).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ cure: 'Did you mean --full? See “benchside experiment --help”.' }) }),
    );
  });

  it.each([
    [['run', '--target', ''], '--target: its value is empty.'],
    [['tune', '--set', 'pool=2,4', '--save', ' '], '--save: its value is empty.'],
    [['run', '--workspace', ''], '--workspace: its value is empty.'],
    [['tune', '--mode', ''], '--mode “”: choose auto, live, process-per-setting or restart-per-block.'],
    [['tune', '--set', 'pool'], '--set “pool”: write it as NAME=VALUE,VALUE, e.g. pool=2,4,8.'],
    [['run', '--vary', 'jvm.gc'], '--vary “jvm.gc”: write it as NAME=VALUE,VALUE, e.g. jvm.gc=G1,Parallel.'],
    [['leak', '--set', 'pool'], '--set “pool”: write it as NAME=VALUE, e.g. pool=4.'],
    [['run', '--generator', ''], '--generator “”: it is k6 or k6-operator, or k6=N and k6-operator=N for N of them.'],
  ])('%j names the option with what it was given', (words, message) => {
    expect(() => parsedCommand(words)).toThrow(expect.objectContaining({ failure: expect.objectContaining({ message }) }));
  });

  it.each([
    ['run --rounds -1', 'benchside run'],
    ['run --set pool', 'benchside run'],
    ['tune', 'benchside tune'],
    ['export prometheus --trial', 'benchside export prometheus'],
    ['raw rows', 'benchside raw'],
    ['--rounds 2', 'benchside'],
    ['help walk', 'benchside'],
  ])('“%s”, which makes no sense, is answered with the help of that command', (line, command) => {
    expect(() => parse(line)).toThrow(expect.objectContaining({ failure: expect.objectContaining({ cure: `See “${command} --help”.` }) }));
  });

  it.each([
    ['an empty target', 'run --target ,'],
    ['an unknown command', 'walk'],
    ['the help of an unknown command', 'help walk'],
    ['an unknown option', 'run --target node --fast'],
    ['an option without its value', 'run --target'],
    ['a flag with a value', 'runs --json=yes'],
    ['a further word', 'run --target node quickly'],
    ['a further word after check', 'check everything'],
    ['one run to compare', 'compare last'],
    ['three runs to compare', 'compare a b c'],
    ['no run to report', 'report -o x.html'],
    ['an unknown format', 'report last --format pdf'],
    ['no run to delete', 'delete'],
    ['an option of another command', 'runs --target node'],
    ['an output where there is none', 'run --target node -o x.html'],
    ['a setting without a value', 'run --target node --set pool'],
    ['a setting with an empty value', 'run --target node --set pool='],
    ['a setting without a name', 'run --target node --set =4'],
    ['a negative pool', 'run --target node --set pool=-1'],
    ['a gap in the values', 'run --target node --set pool=2,,4'],
    ['a range from large to small', 'run --target node --set pool=8..2'],
    ['a range from zero', 'run --target node --set pool=0..8'],
    ['zero connections', 'run --target node --connections 0'],
    ['connections that are no number', 'run --target node --connections many'],
    ['half a connection', 'run --target node --connections 1.5'],
    ['a gap in the ladder', 'run --target node --connections 4,'],
    ['too many connections', 'run --target node --connections 100000'],
    ['no time at all', 'run --target node --duration 0'],
    ['a duration that is no number', 'run --target node --duration soon'],
    ['an empty duration', 'run --target node --duration='],
    ['zero rounds', 'run --target node --rounds 0'],
    ['a negative seed', 'run --target node --seed=-1'],
    ['a flame graph of nothing', 'flamegraph'],
    ['a flame graph of two recordings', 'flamegraph a.jfr b.jfr'],
    ['a flame graph in a format that is none', 'flamegraph a.jfr --format __proto__'],
    ['two formats at once', 'flamegraph a.jfr --json --format svg'],
    ['an event for a command without events', 'runs --event cpu'],
    ['a comparison as a page', 'flamegraph a.jfr --diff b.jfr -o c.html'],
    ['a normaliser that is none', 'flamegraph a.jfr --diff b.jfr --normalise toString'],
    ['a normaliser without a comparison', 'flamegraph a.jfr --normalise raw'],
    ['a tuning of nothing', 'tune --target java'],
    ['a tuning of one value', 'tune --target java --set pool=8'],
    ['a tuning of an empty range', 'tune --target java --set pool='],
    ['a tuning of an inverted range', 'tune --target java --set pool=64..2'],
    ['a range that is half a word', 'tune --target java --set pool=2..many'],
    ['a ladder of connections in a tuning', 'tune --target java --set pool=2..8 --connections 8,16'],
    ['no budget at all', 'tune --target java --set pool=2..8 --budget 0'],
    ['a budget that is no time', 'tune --target java --set pool=2..8 --budget soon'],
    ['a delta of everything', 'tune --target java --set pool=2..8 --delta 100'],
    ['a mode that is none', 'tune --target java --set pool=2..8 --mode constructor'],
    ['no connections to share', 'tune --target java --set pool=2..8 --total-connections 0'],
    ['an objective that is none', 'tune --target java --set pool=2..8 --slo fast'],
    ['an objective of another command', 'runs --slo fast'],
    ['rounds in a tuning', 'tune --target java --set pool=2..8 --rounds 3'],
    ['a budget that is no time', 'run --target java --budget soon'],
    ['a rate that is none', 'run --target java --rate 0'],
    ['a rate in a tuning', 'tune --target java --set pool=2..8 --rate 200'],
    ['no experiment', 'experiment'],
    ['two experiments', 'experiment java-pool node-pool'],
    ['an experiment beside the list', 'experiment java-pool --list'],
    ['a list of another command', 'runs --list'],
    ['three trials to compare', 'compare a b --trial x --trial y --trial z'],
    ['two trials of one run', 'flamegraph last --trial pool=2 --trial pool=4'],
  ])('with %s is wrong usage', (_name, line) => {
    let thrown: unknown;
    try {
      parse(line);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(FailureError);
    const { failure } = thrown as FailureError;
    expect(failure.code).toBe('usage');
    expect(failure.message).toMatch(/\.$/);
    expect(failure.cure).toContain('--help');
  });
});

describe('a flame graph on the command line', () => {
  it.each([
    ['flamegraph a.jfr', { source: 'a.jfr', event: null, output: null, format: 'svg', diff: null, normalise: null, trials: [] }],
    ['flamegraph a.jfr --event wall --format collapsed', { event: 'wall', format: 'collapsed' }],
    ['flamegraph a.jfr -o b.pb.gz', { output: 'b.pb.gz', format: 'pprof' }],
    ['flamegraph a.jfr -o b.speedscope.json', { format: 'speedscope' }],
    ['flamegraph a.jfr -o b.json', { format: 'json' }],
    ['flamegraph a.jfr -o b.svg --format json', { output: 'b.svg', format: 'json' }],
    ['flamegraph a.jfr --json', { format: 'json', json: true }],
    ['flamegraph a.jfr -o page.HTML', { output: 'page.HTML', format: 'html' }],
    [
      'flamegraph last --trial pool=2 --diff previous --trial pool=16 --normalise raw --json',
      { source: 'last', trials: ['pool=2', 'pool=16'], diff: 'previous', normalise: 'raw', format: 'json' },
    ],
  ])('%s', (line, expected) => {
    expect(parse(line)).toMatchObject({ name: 'flamegraph', ...expected });
  });
});

describe('a setting on the command line', () => {
  it.each([
    ['pool=2..10', { pool: [2, 4, 8, 10] }],
    ['threads=virtual,platform', { threads: ['virtual', 'platform'] }],
    ['pool=8,2 --set pool=4,8', { pool: [2, 4, 8] }],
  ])('%s', (text, settings) => {
    expect(parse(`run -t node --set ${text}`)).toMatchObject({ request: { settings } });
  });

  it('may have blanks around its parts', () => {
    expect(parsedCommand(['run', '-t', 'node', '--set', ' pool = 8 '])).toMatchObject({ request: { settings: { pool: [8] } } });
  });
});
