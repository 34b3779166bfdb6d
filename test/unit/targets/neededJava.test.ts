import { describe, expect, it } from 'vitest';
import { javaTooOld, neededJava } from '../../../src/engine/targets/neededJava.ts';

describe('the Java that a service needs', () => {
  it.each([
    [
      'Exception in thread "main" java.lang.UnsupportedClassVersionError: app/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0',
      { needed: 21, had: 17 },
    ],
    ['java.lang.UnsupportedClassVersionError: app/Main : Unsupported major.minor version 52.0', { needed: 8, had: null }],
    ['[ERROR] Fatal error compiling: error: release version 25 not supported -> [Help 1]', { needed: 25, had: null }],
    ['error: invalid target release: 21', { needed: 21, had: null }],
    ['Dependency requires at least JVM runtime version 17. This build uses a Java 11 JVM.', { needed: 17, had: null }],
    ['the resolved version is only compatible with Java 21 or newer.', { needed: 21, had: null }],
    // A later JVM does not help these.
    ['Unsupported class file major version 69', null],
    ['UnsupportedClassVersionError: Preview features are not enabled for app/Main (class file version 65.65535). Try running with', null],
    ['Error: Unable to access jarfile app.jar', null],
  ])('is read from “%s”', (output, expected) => {
    expect(neededJava(output)).toEqual(expected);
  });

  it('is named with one of this machine that is new enough, and how it is chosen', () => {
    const output =
      'compiled by a more recent version of the Java Runtime (class file version 65.0), only recognizes class file versions up to 61.0';
    const runtimes = [17, 21, 25].map((feature) => ({ program: `/nowhere/jdk-${feature}/bin/java`, feature }));
    const { message = '', cure } = javaTooOld('shop', output, '', runtimes) ?? {};
    expect(message).toBe('shop needs Java 21 or later, and ran on Java 17.');
    expect(cure).toMatch(/^JDK 21 is on this machine.*"\/nowhere\/jdk-21".*benchside\.javaPath.*--java/);
    expect(javaTooOld('shop', output, '', runtimes.slice(0, 1))?.cure).toMatch(/^Install a JDK 21 or later.*"java".*--java/);
  });
});
