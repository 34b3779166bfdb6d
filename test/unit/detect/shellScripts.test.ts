import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectServices } from '../../../src/engine/detect/detectServices.ts';
import { findingsOf } from '../../../src/model/domain/detection.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'benchside-scripts-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('a shell script', () => {
  it('starts what its last line calls, where that can be a service', () => {
    const files = {
      'run.sh': '#!/bin/sh\nset -e\nexport SERVE_ON="${SERVE_ON:-4711}"\nexec node lib/index.js "$@"\n\n# that is all\n',
      'ops/api.sh': '"$JAVA_HOME/bin/java" $JAVA_OPTS -jar app.jar',
      'ops/deep/other.sh': 'node server.js',
      'build.sh': 'npm run build',
      'clean.sh': './mvnw clean',
      'tail.sh': 'node server.js &',
      'backup.sh': 'tar czf all.tgz .',
      'empty.sh': '# nothing\n',
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
      writeFileSync(path.join(dir, file), text);
    }
    chmodSync(path.join(dir, 'run.sh'), 0o755);
    const ways = detectServices(dir).candidates.map(({ file, line, service }) => {
      const [command] = findingsOf(service.findings, 'command');
      return `${file}:${line}: ${command?.command.join(' ')}, ${command?.runtime}`;
    });
    expect(ways).toEqual(['run.sh:4: ./run.sh, node', 'ops/api.sh:1: sh ops/api.sh, jvm']);
  });
});
