import { existsSync } from 'node:fs';
import path from 'node:path';
import { repositoryDir } from '../../../support/engine.ts';
import type { Files } from './repository.ts';

/** What a commit does to a service, and what has to be named first where something is slower: a function, a statement or a file with its line. */
export interface Planting {
  name: string;
  /** Of what is smaller than δ, “either”: that it is the same within ±5 % is as true as that it is slower. */
  expected: 'same' | 'worse' | 'either';
  culprit?: RegExp;
  /** The service that the commit is made on, where it is another. */
  on?: (files: Files) => Files;
  change: (files: Files) => Files;
}

/** A service of the bench, with the commits that can be planted in it. */
export interface PlantedService {
  files: Files;
  plantings: readonly Planting[];
  /** What it needs and this machine has not; null: nothing. */
  missing: () => string | null;
}

/** Iterations in which a request computes, and where so many percent more of the CPU are planted, ten times as many: they are nearly all that it takes then. */
const computes = 400_000;
const nearlyAll = 10 * computes;

const schema = `create table items (id int primary key, group_id int not null, name text not null);
insert into items select n, n % 2000, 'item ' || n from generate_series(1, 20000) n;
create index items_by_group on items (group_id);
analyze items;
`;

const targetOf = (more: Record<string, unknown>): string =>
  JSON.stringify({
    targets: [
      {
        id: 'shop',
        ready: { path: '/health' },
        routes: [{ path: '/items/:id', parameters: { id: { min: 1, max: 2000 } } }],
        postgres: {
          env: more['runtime'] === 'jvm' ? { jdbcUrl: 'JDBC_URL', user: 'DB_USER', password: 'DB_PASSWORD' } : { url: 'DATABASE_URL' },
          database: 'shop',
          sql: ['schema.sql'],
        },
        ...more,
      },
    ],
  });

/** A change of one file: fails where there is nothing to change, so that no planting is empty by mistake. */
function replaced(file: string, ...changes: readonly (readonly [from: string, to: string])[]): Planting['change'] {
  return (files) => {
    let text = files[file] ?? '';
    for (const [from, to] of changes) {
      if (!text.includes(from)) throw new Error(`${file} has no “${from}”.`);
      text = text.replaceAll(from, to);
    }
    return { ...files, [file]: text };
  };
}

const lostIndex: Planting = {
  name: 'a lost index',
  expected: 'worse',
  culprit: /plans it otherwise|itemsOf/,
  change: replaced('schema.sql', ['create index items_by_group on items (group_id);\n', '']),
};

const nodeModules = path.join(repositoryDir, '.cache', 'nodeProbe', 'node_modules');

const express = `'use strict';
const fs = require('node:fs');
const express = require('express');
const { Pool } = require('pg');
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
const app = express();

function compute(times) {
  let x = 1;
  for (let i = 0; i < times; i += 1) x = Math.imul(x ^ i, 1664525);
  return x;
}

function format(row) {
  return { id: row.id, name: row.name.toUpperCase() };
}

async function itemsOf(group) {
  const { rows } = await pool.query('select id, name from items where group_id = $1', [group]);
  return rows.map(format);
}

app.get('/health', (request, response) => response.send('ok'));
app.get('/items/:id', async (request, response) => {
  const items = await itemsOf(Number(request.params.id));
  response.json({ items, sum: compute(${computes}) });
});
app.listen(process.env.PORT);
`;

const more = (percent: number, file: string): Planting => ({
  name: `${percent} % more computing`,
  expected: percent < 5 ? 'either' : 'worse',
  culprit: /compute|callback of app\.get/,
  on: replaced(file, [`compute(${computes})`, `compute(${nearlyAll})`]),
  change: replaced(file, [`compute(${nearlyAll})`, `compute(${Math.round(nearlyAll * (1 + percent / 100))})`]),
});

export const expressService: PlantedService = {
  missing: () =>
    existsSync(path.join(nodeModules, 'express')) && existsSync(path.join(nodeModules, 'pg'))
      ? null
      : 'the apps of the tests are not installed',
  files: {
    'server.js': express,
    'schema.sql': schema,
    '.gitignore': '.benchside\n',
    'benchside.json': targetOf({ runtime: 'node', command: ['node', 'server.js'], build: [], env: { NODE_PATH: nodeModules } }),
  },
  plantings: [
    { name: 'nothing', expected: 'same', change: (files) => ({ ...files, 'notes.txt': 'Nothing of the service.\n' }) },
    {
      name: 'a comment',
      expected: 'same',
      change: replaced('server.js', ["'use strict';", "'use strict';\n// Answers with the items of a group."]),
    },
    { name: 'a rename', expected: 'same', change: replaced('server.js', ['itemsOf', 'itemsOfGroup'], ['format', 'formatted']) },
    ...[2, 5, 10, 20].map((percent) => more(percent, 'server.js')),
    {
      name: 'a statement for each row',
      expected: 'worse',
      culprit: /select name from items where id/,
      change: replaced('server.js', [
        '  return rows.map(format);',
        "  for (const row of rows) row.name = (await pool.query('select name from items where id = $1', [row.id])).rows[0].name;\n  return rows.map(format);",
      ]),
    },
    {
      name: 'a held connection',
      expected: 'worse',
      culprit: /itemsOf/,
      change: replaced('server.js', [
        "  const { rows } = await pool.query('select id, name from items where group_id = $1', [group]);\n",
        "  const client = await pool.connect();\n  const { rows } = await client.query('select id, name from items where group_id = $1', [group]);\n  await new Promise((resolve) => setTimeout(resolve, 20));\n  client.release();\n",
      ]),
    },
    lostIndex,
    {
      name: 'a file that is read at once',
      expected: 'worse',
      culprit: /itemsOf|readFileSync/,
      change: replaced('server.js', [
        '  return rows.map(format);',
        '  for (let i = 0; i < 20; i += 1) fs.readFileSync(__filename);\n  return rows.map(format);',
      ]),
    },
    {
      name: 'a larger answer',
      expected: 'worse',
      culprit: /Each answer|format|callback of app\.get/,
      change: replaced('server.js', ['name: row.name.toUpperCase()', "name: row.name.toUpperCase(), notes: 'n'.repeat(60_000)"]),
    },
    {
      name: 'a pool halved',
      expected: 'worse',
      culprit: /connection of the pool|pool wait/,
      on: replaced('server.js', ['select id, name from', 'select pg_sleep(0.005), id, name from']),
      change: replaced('server.js', ['max: 8', 'max: 4']),
    },
    {
      name: 'a regular expression that backtracks',
      expected: 'worse',
      culprit: /format|RegExp/,
      change: replaced('server.js', ['  return { id: row.id,', "  /^(\\w+\\s?)*!$/.test('item item item 17');\n  return { id: row.id,"]),
    },
    {
      name: 'an extra allocation',
      expected: 'worse',
      // The callback on the line that was added is as right as the function around it.
      culprit: /format|callback of Array\.from/,
      change: replaced('server.js', [
        '  return { id: row.id,',
        '  const copies = Array.from({ length: 3000 }, (_, n) => ({ ...row, n }));\n  return { count: copies.length, id: row.id,',
      ]),
    },
  ],
};

const jar = path.join(repositoryDir, 'samples', 'java', 'target', 'bulletin-board.jar');

const jetty = `import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

public class Shop extends Handler.Abstract {
  private final HikariDataSource pool = new HikariDataSource();

  Shop() {
    pool.setJdbcUrl(System.getenv("JDBC_URL"));
    pool.setUsername(System.getenv("DB_USER"));
    pool.setPassword(System.getenv("DB_PASSWORD"));
    pool.setMaximumPoolSize(8);
  }

  public static void main(String[] args) throws Exception {
    Server server = new Server(Integer.parseInt(System.getenv("PORT")));
    server.setHandler(new Shop());
    server.start();
    server.join();
  }

  static int compute(int times) {
    int x = 1;
    for (int i = 0; i < times; i += 1) x = (x ^ i) * 1664525;
    return x;
  }

  static String format(String name) {
    return name.toUpperCase();
  }

  List<String> itemsOf(int group) throws Exception {
    List<String> items = new ArrayList<>();
    try (var connection = pool.getConnection();
        var statement = connection.prepareStatement("select id, name from items where group_id = ?")) {
      statement.setInt(1, group);
      try (var rows = statement.executeQuery()) {
        while (rows.next()) items.add(format(rows.getString(2)));
      }
    }
    return items;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = Request.getPathInContext(request);
    String answer = "ok";
    if (path.startsWith("/items/")) {
      List<String> items = itemsOf(Integer.parseInt(path.substring(7)));
      answer = String.join(",", items) + compute(${computes});
    }
    Content.Sink.write(response, true, new String(answer.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8), callback);
    return true;
  }
}
`;

export const jettyService: PlantedService = {
  missing: () => (existsSync(jar) ? null : 'the Java sample is not built'),
  files: {
    'Shop.java': jetty,
    'schema.sql': schema,
    '.gitignore': '.benchside\nclasses\n',
    'benchside.json': targetOf({
      runtime: 'jvm',
      command: ['java', '-cp', `classes${path.delimiter}${jar}`, 'Shop'],
      build: [['javac', '-g', '-cp', jar, '-d', 'classes', 'Shop.java']],
    }),
  },
  plantings: [
    { name: 'nothing', expected: 'same', change: (files) => ({ ...files, 'notes.txt': 'Nothing of the service.\n' }) },
    {
      name: 'a comment',
      expected: 'same',
      change: replaced('Shop.java', ['public class Shop', '// Answers with the items of a group.\npublic class Shop']),
    },
    { name: 'a rename', expected: 'same', change: replaced('Shop.java', ['itemsOf', 'itemsOfGroup'], ['format', 'formatted']) },
    ...[2, 5, 10, 20].map((percent) => ({ ...more(percent, 'Shop.java'), culprit: /Shop\.(handle|compute)/ })),
    {
      name: 'a statement for each row',
      expected: 'worse',
      culprit: /select name from items where id/,
      change: replaced('Shop.java', [
        '        while (rows.next()) items.add(format(rows.getString(2)));',
        `        while (rows.next()) {
          try (var one = connection.prepareStatement("select name from items where id = ?")) {
            one.setInt(1, rows.getInt(1));
            try (var found = one.executeQuery()) {
              found.next();
              items.add(format(found.getString(1)));
            }
          }
        }`,
      ]),
    },
    {
      name: 'a held connection',
      expected: 'worse',
      culprit: /Shop\.itemsOf/,
      change: replaced('Shop.java', ['        while (rows.next())', '        Thread.sleep(20);\n        while (rows.next())']),
    },
    lostIndex,
    {
      name: 'a file that is read at once',
      expected: 'worse',
      culprit: /Shop\.itemsOf/,
      change: replaced('Shop.java', [
        '    return items;',
        '    for (int i = 0; i < 40; i += 1) Files.readAllBytes(Path.of("Shop.java"));\n    return items;',
      ]),
    },
    {
      name: 'a larger answer',
      expected: 'worse',
      culprit: /Each answer|Shop\.(format|handle)/,
      change: replaced('Shop.java', ['    return name.toUpperCase();', '    return name.toUpperCase() + "n".repeat(60_000);']),
    },
    {
      name: 'a pool halved',
      expected: 'worse',
      culprit: /connection of the pool|pool wait|getConnection/,
      on: replaced('Shop.java', ['select id, name from', 'select pg_sleep(0.005), name from']),
      change: replaced('Shop.java', ['setMaximumPoolSize(8)', 'setMaximumPoolSize(4)']),
    },
    {
      name: 'a regular expression that backtracks',
      expected: 'worse',
      culprit: /Shop\.format/,
      change: replaced('Shop.java', [
        '    return name.toUpperCase();',
        '    "item item item item item 17".matches(".*.*.*!");\n    return name.toUpperCase();',
      ]),
    },
    {
      name: 'an extra allocation',
      expected: 'worse',
      culprit: /Shop\.format/,
      change: replaced('Shop.java', [
        '    return name.toUpperCase();',
        '    List<String> copies = new ArrayList<>();\n    for (int i = 0; i < 3000; i += 1) copies.add(name + i);\n    return name.toUpperCase() + copies.size();',
      ]),
    },
  ],
};
