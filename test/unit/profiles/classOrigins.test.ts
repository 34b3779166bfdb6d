import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { libraryName } from '../../../src/calltree/sentence/libraryName.ts';
import { readCollapsed } from '../../../src/engine/calltree/readCollapsed.ts';
import { withOrigins } from '../../../src/engine/profiles/classOrigins.ts';
import { frameKinds } from '../../../src/model/domain/callTree.ts';
import { packTree, unpackTree } from '../../../src/model/domain/packedTree.ts';
import { zipArchive } from '../../support/zipArchive.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'benchside-origins-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, content: string | Buffer): string {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Whose each function is, as `app`, or by what its library is called. */
function origins(classPath: string[], names: string[], roots: string[] = []): string[] {
  const tree = readCollapsed(new TextEncoder().encode(names.map((name) => `${name} 1\n`).join('')));
  const { functions } = unpackTree(packTree(withOrigins(tree, classPath, roots)));
  return names.map((name) => {
    const func = functions.name.indexOf(name);
    const kind = frameKinds[functions.kind[func] as number] as string;
    return kind === 'dependency' ? libraryName(functions, func) : kind;
  });
}

describe('whose a class is follows from where it was loaded', () => {
  it('from a Spring Boot archive: its own classes, though their package is one of Spring, and its libraries by name and version', () => {
    const jar = put(
      'deployed/petclinic.jar',
      zipArchive({
        'BOOT-INF/classes/org/springframework/samples/petclinic/owner/OwnerController.class': '',
        'BOOT-INF/lib/thymeleaf-spring6-3.1.3.RELEASE.jar': zipArchive({ 'org/thymeleaf/spring6/view/ThymeleafView.class': '' }),
        'BOOT-INF/lib/spring-webmvc-6.2.1.jar': zipArchive({ 'org/springframework/web/servlet/DispatcherServlet.class': '' }),
        'org/springframework/boot/loader/launch/JarLauncher.class': '',
      }),
    );
    expect(
      origins(
        [jar],
        [
          'org.springframework.samples.petclinic.owner.OwnerController.showOwner',
          'org.springframework.samples.petclinic.owner.OwnerController$$SpringCGLIB$$0.showOwner',
          'org/thymeleaf/spring6/view/ThymeleafView.render',
          'org.springframework.web.servlet.DispatcherServlet.doDispatch',
          'java.lang.String.concat',
        ],
      ),
    ).toEqual(['app', 'app', 'thymeleaf-spring6 3.1', 'spring-webmvc 6.2', 'runtime']);
  });

  it('from folders of classes, and from archives beside them, the first of which counts', () => {
    put('service/target/classes/com/google/acme/Shop.class', '');
    const one = put('repository/acme-util-1.2.3.jar', zipArchive({ 'org/acme/util/Text.class': '', 'com/google/acme/Shop.class': '' }));
    const other = put('repository/acme-copy-9.jar', zipArchive({ 'org/acme/util/Text.class': '' }));
    expect(
      origins(
        [one, other, path.join(root, 'service/target/classes')],
        ['com.google.acme.Shop.sell', 'org.acme.util.Text.cut', 'org.acme.Other.go'],
      ),
    ).toEqual(['app', 'acme-util 1.2', 'app']);
  });

  it('from an archive into which others were merged: by the sources of the workspace', () => {
    put('shaded/src/main/java/io/netty/mine/Main.java', '');
    const jar = put(
      'shaded/target/all.jar',
      zipArchive({
        'META-INF/maven/a/b/pom.properties': '',
        'META-INF/maven/c/d/pom.properties': '',
        'io/netty/mine/Main.class': '',
        'io/netty/channel/Channel.class': '',
      }),
    );
    expect(origins([jar], ['io.netty.mine.Main.main', 'io.netty.channel.Channel.read'], [path.join(root, 'shaded')])).toEqual([
      'app',
      'Netty',
    ]);
  });

  it('from an archive into which others were merged, without sources: by the class that it starts with', () => {
    const classes = {
      'com/acme/Shop.class': '',
      'com/acme/web/Routes.class': '',
      'org/postgresql/Driver.class': '',
      'io/zap/Pool.class': '',
    };
    const jar = put(
      'merged/all.jar',
      zipArchive({
        'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\r\nMain-Class: com.acme.shop.Main\r\n',
        'com/acme/shop/Main.class': '',
        ...classes,
      }),
    );
    const names = ['com.acme.shop.Main.main', 'com.acme.web.Routes.all', 'org.postgresql.Driver.connect', 'io.zap.Pool.take'];
    expect(origins([jar], names)).toEqual(['app', 'app', 'the PostgreSQL driver', 'io.zap.Pool']);
    // Next to others it may be a library that can also be started.
    expect(origins([jar, put('merged/other.jar', zipArchive({ 'net/other/Other.class': '' }))], names)[1]).toBe('all');
  });

  it('from what the workspace built, without its sources', () => {
    const jar = put('quarkus/quarkus-app/app/shop-1.0.jar', zipArchive({ 'org/eclipse/shop/Cart.class': '' }));
    expect(origins([jar], ['org.eclipse.shop.Cart.add'], [path.join(root, 'quarkus')])).toEqual(['app']);
    expect(origins([jar], ['org.eclipse.shop.Cart.add'])).toEqual(['shop 1.0']);
  });

  it('and keeps its kind where an archive cannot be read', () => {
    const broken = put('broken.jar', 'PK\u0003\u0004 and nothing more');
    expect(origins([broken, path.join(root, 'missing.jar'), '/dev/zero'], ['org.postgresql.Driver.connect'])).toEqual([
      'the PostgreSQL driver',
    ]);
  });
});
