/**
 * `node --import tsx dev/bench/rolling-deploy.ts [seconds] [calls per second] [held calls]`: replaces all processes of a running
 * system by `demarc up --replace` while a trunk places calls over one TLS connection, others are held, and a softphone talks. Prints
 * the figures of docs/survival.md; exit status 1 when a call failed or was cut. With the
 * variable KEEP its state directory remains, with the logs.
 */
import { pause } from '../../src/testkit/waiting.js';
import { CallStream } from '../../test/support/call-stream.js';
import { LaunchedSystem } from '../survival/launched-system.js';

const [seconds = 60, callsPerSecond = 20, held = 20] = process.argv.slice(2).map(Number);

async function main(): Promise<boolean> {
  // The trunk sends no media.
  const system = await LaunchedSystem.start({ DEMARC_MEDIA_TIMEOUT_SECONDS: '3600' });
  try {
    const stream = new CallStream(await system.caller(), {
      number: system.demoNumber,
      callsPerSecond,
      holdMilliseconds: 2_000,
    });
    await stream.hold(held);
    const phone = system.softphone(seconds);
    const load = stream.run();
    const began = performance.now();
    await pause(Math.min(5_000, seconds * 200));
    await system.replace();
    const replaced = (performance.now() - began) / 1_000;
    await pause(Math.max(0, seconds * 1_000 - (performance.now() - began)));
    await stream.stop();
    await load;
    await stream.hangUpHeld();
    const code = await phone.exit(120_000);
    const audio = phone.output.split('\n').filter((line) => /^ {2}(RTP packets|Echo heard)/.test(line));
    const slowest = stream.setups.toSorted((a, b) => a - b);
    const quantile = (share: number): string =>
      `${Math.round(slowest[Math.floor(share * (slowest.length - 1))]!)} ms`;
    process.stdout.write(`${stream.placed} calls at ${callsPerSecond}/s and ${held} held ones, all processes replaced after ${replaced.toFixed(1)} s:
${stream.failures.length} failed or cut; answered in ${quantile(0.5)} (half), ${quantile(0.99)} (99 %), ${quantile(1)} (all)
softphone (exit status ${code}):
${audio.join('\n')}
`);
    for (const failure of new Set(stream.failures))
      process.stdout.write(`${stream.failures.filter((each) => each === failure).length} × ${failure}\n`);
    return stream.failures.length === 0 && code === 0;
  } finally {
    process.stdout.write(
      system.launcherOutput
        .split('\n')
        .filter((line) => line.startsWith('demarc '))
        .join('\n'),
    );
    await system.stop({ keepsState: process.env.KEEP !== undefined });
  }
}

process.exitCode = (await main()) ? 0 : 1;
