import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declaresPackage, jvmFileNames, pathCandidates, sourceTarget } from '../../../src/calltree/sourceLocation.ts';

const target = (name: string, file = '', kind = 'app'): ReturnType<typeof sourceTarget> => sourceTarget({ name, file, kind });

describe('where the source of a frame is looked for', () => {
  it('reads paths, file addresses and bundled sources', () => {
    expect(target('handle', '/app/src/server.js')).toEqual({ kind: 'path', path: '/app/src/server.js' });
    expect(target('handle', 'C:\\app\\server.js')).toEqual({ kind: 'path', path: 'C:/app/server.js' });
    expect(target('handle', 'file:///app/my%20server.js')).toEqual({ kind: 'path', path: '/app/my server.js' });
    expect(target('handle', 'file:///C:/app/server.js')).toEqual({ kind: 'path', path: 'C:/app/server.js' });
    expect(target('handle', 'webpack://app/./src/server.ts')).toEqual({ kind: 'path', path: 'src/server.ts' });
    expect(target('handle', 'src/server.ts')).toEqual({ kind: 'path', path: 'src/server.ts' });
  });

  it('reads classes of the JVM by their names, inner classes and lambdas among them', () => {
    const database = { kind: 'java', packagePath: 'bulletin', className: 'Database' };
    expect(target('bulletin.Database.connect')).toEqual(database);
    expect(target('bulletin/Database.connect_[j]')).toEqual(database);
    expect(target('bulletin.Database$Pool$1.run')).toEqual(database);
    expect(target('bulletin.Database.lambda$handle$0')).toEqual(database);
    expect(target('bulletin.Database$$Lambda.0x00007f3c5c1a2b30.apply')).toEqual(database);
    expect(target('bulletin.Database$$Lambda/0x00007f3c5c1a2b30.apply')).toEqual(database);
    expect(target('bulletin.Database.<init>')).toEqual(database);
    expect(target('bulletin.Row.render', 'Database.java')).toEqual(database);
    expect(target('connect', 'bulletin/Database.java')).toEqual(database);
    expect(target('Main.main')).toEqual({ kind: 'java', packagePath: '', className: 'Main' });
  });

  it.each([
    ['futex_wait', '', 'kernel', /kernel/],
    ['GC', '', 'gc', /garbage/],
    ['JavaThread::run', '', 'native', /native/],
    ['readFileSync', 'node:fs', 'runtime', /part of Node/],
    ['f', 'https://cdn.example/app.js', 'app', /not loaded from a file/],
    ['f', 'evalmachine.<anonymous>', 'app', /not loaded from a file/],
    ['f', 'command:workbench.action.quit', 'app', /not loaded from a file/],
    ['f', '\\\\server\\share\\a.js', 'app', /another computer/],
    ['f', 'file://server/share/a.js', 'app', /another computer/],
    ['(anonymous)', '', 'app', /does not tell/],
  ])('says why %s in “%s” has none', (name, file, kind, reason) => {
    expect(target(name, file, kind)).toEqual({ kind: 'none', reason: expect.stringMatching(reason) });
  });

  it('tries where it was recorded first, then its trailing parts below each root', () => {
    expect(pathCandidates('/app/src/server.js', ['/folder/a', '/folder/b/'])).toEqual([
      '/app/src/server.js',
      ...['/folder/a/app/src/server.js', '/folder/b/app/src/server.js'],
      ...['/folder/a/src/server.js', '/folder/b/src/server.js'],
    ]);
    expect(pathCandidates('/app/server.js', ['/folder'])).toContain('/folder/server.js');
  });

  it('never takes a dependency’s file for one of the workspace’s own', () => {
    const found = pathCandidates('/app/node_modules/pg/lib/index.js', ['/folder']);
    expect(found).toContain('/folder/node_modules/pg/lib/index.js');
    expect(found).not.toContain('/folder/lib/index.js');
    expect(found).not.toContain('/folder/index.js');
  });

  it('leaves the roots for no path whatever a recording says', () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'node_modules', '\\\\host', '//', 'b.js', 'C:', '\0');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const recorded = parts.join('/');
        for (const path of pathCandidates(recorded, ['/folder'])) {
          expect(path).not.toMatch(/^(\/\/|\\\\)|\0/);
          if (path !== recorded.replaceAll('\\', '/')) expect(path.startsWith('/folder/') && !path.split('/').includes('..')).toBe(true);
        }
      }),
    );
  });

  it('recognises the package and the files of a class', () => {
    expect(jvmFileNames('AppKt')).toContain('App.kt');
    expect(declaresPackage('// a\npackage bulletin.web;\n', 'bulletin/web')).toBe(true);
    expect(declaresPackage('package bulletin.web\n', 'bulletin/web')).toBe(true);
    expect(declaresPackage('package bulletin.website;\n', 'bulletin/web')).toBe(false);
    expect(declaresPackage('class A {}', '')).toBe(true);
    expect(declaresPackage('package b;', '')).toBe(false);
  });
});
