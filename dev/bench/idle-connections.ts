import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CpuMeter, memoryOf } from './cpu.js';
import type { Connections } from './report.js';
import { measureStep, type Setting } from './step.js';
import type { SystemUnderTest } from './system-under-test.js';

const clients = fileURLToPath(new URL('idle-clients.mjs', import.meta.url));
/** Time for garbage of the handshakes to be collected, or not. */
const settleMilliseconds = 5_000;
const closedMilliseconds = 60_000;

/** Memory of idle TLS connections, what opening one costs, and what they add to the cost of a new call. */
export async function measureIdleConnections(
  setting: Setting,
  system: SystemUnderTest,
  connections: number,
): Promise<Connections> {
  const newCalls = { callsPerSecond: 100, seconds: 5, holdMilliseconds: 1_000 };
  const without = await measureStep(setting, system, newCalls);
  const processes = system.processes();
  const listener = processes.find(({ name }) => name === 'engine' || name === 'server')!;
  const resident = (): number => memoryOf([listener]).get(listener.name)!.rss;
  const before = resident();
  const meter = new CpuMeter([listener]);
  const { host, port } = system.target;
  const child = spawn(process.execPath, [clients, host, String(port), String(connections)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${system.name} did not keep ${connections} connections.`);
    });
    await Promise.race([once(lines, 'line'), ended]);
    const spent = meter.read().get(listener.name)!;
    await sleep(settleMilliseconds);
    const open = resident();
    const under = await measureStep(setting, system, newCalls);
    ended.catch(() => {});
    child.stdin.end();
    await once(child, 'exit');
    await sleep(closedMilliseconds);
    return {
      system: system.name,
      connections,
      without,
      under,
      kilobytesEach: ((open - before) * 1024) / connections,
      cpuToOpen: spent / connections,
      megabytes: { before, open, closed: resident() },
    };
  } finally {
    child.kill();
  }
}
