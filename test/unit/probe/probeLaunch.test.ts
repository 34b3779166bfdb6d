import { describe, expect, it } from 'vitest';
import { withJvmOption } from '../../../src/engine/probe/probeLaunch.ts';

const option = '-XX:TieredStopAtLevel=1';

describe('an option of a JVM', () => {
  it('comes first among those of java, so that the service’s own counts', () => {
    const command = withJvmOption({ argv: ['/jdk/bin/java', '-XX:TieredStopAtLevel=4', '-jar', 'a.jar'], env: { A: 'b' } }, option);
    expect(command).toEqual({ argv: ['/jdk/bin/java', option, '-XX:TieredStopAtLevel=4', '-jar', 'a.jar'], env: { A: 'b' } });
  });

  it('is handed on by JAVA_TOOL_OPTIONS through what else starts one, behind what is there', () => {
    const command = withJvmOption({ argv: ['mvn', 'spring-boot:run'], env: { JAVA_TOOL_OPTIONS: '-Xmx1g' } }, option);
    expect(command).toEqual({ argv: ['mvn', 'spring-boot:run'], env: { JAVA_TOOL_OPTIONS: `-Xmx1g ${option}` } });
  });
});
