import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../src/testkit/waiting.js';
import { UserOfStart } from './user-of-start.js';

let user: UserOfStart;
beforeAll(async () => {
  user = await UserOfStart.again({ DEMARC_UNRESPONSIVE_SECONDS: '6' });
  await user.startAndWait();
});
afterAll(() => user?.stop());

describe('npm start', () => {
  it.each([
    ...['edge-1', 'redis', 'rtpengine', 'engine', 'agent', 'media-stream', 'control', 'postgres'].map(
      (part) => [part, 'SIGKILL'] as const,
    ),
    // It runs, and answers nothing.
    ['rtpengine', 'SIGSTOP'] as const,
    ['edge-2', 'SIGSTOP'] as const,
  ])('brings back %s after %s, and calls go through again', async (part, signal) => {
    const crashed = user.partIdentities().get(part)!;
    process.kill(crashed.pid, signal);
    await until(
      () => (user.partIdentities().get(part)?.pid ?? crashed.pid) !== crashed.pid,
      20_000,
      `another ${part}`,
    );
    await user.running.line(new RegExp(`${part} is ready again`), 20_000);
    await until(() => user.isReady(), 20_000, '/readyz');
    // Two seconds of the agent, then the echo, of which a stall may take some.
    const { code, output } = await user.call('--seconds', '5');
    // Beside other tests a stall of the machine loses some packets, which makes a call fail that is heard.
    const isHeard = /Echo heard +yes/.test(output) && output.includes('of the audio packets were lost');
    expect(isHeard ? 0 : code, output).toBe(0);
  });
});
