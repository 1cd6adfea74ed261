import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../src/testkit/waiting.js';
import { freePorts, mediaPorts, systemPorts } from '../support/free-ports.js';
import { TestProcess } from '../support/processes.js';

/** The first starts Redis, rtpengine, an engine and an edge, and runs for half a minute; the second starts what files share. */
const files = ['test/contract/call/ill-redis.test.ts', 'test/contract/control/api/failures.test.ts'];
const programs = ['postgres', 'redis-server', 'rtpengine', 'node'];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demarc-killed-run-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Programs that run with our folder: as working directory, in their command line or in their environment. */
function running(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const places = [...command, environment, readlinkSync(`/proc/${pid}/cwd`)];
      return places.some((place) => place.includes(folder))
        ? [command[0]!.split(' ')[0]!.replace(/^.*\//, '')]
        : [];
    } catch {
      return [];
    }
  });
}

it('a test run that gets SIGTERM leaves no process behind', async () => {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const run = new TestProcess(process.execPath, [vitest, 'run', '--project', 'contract', ...files], {
    env: {
      ...process.env,
      TMPDIR: folder,
      DEMARC_TEST_ROOM: undefined,
      VITEST_POOL_ID: undefined,
      VITEST_WORKER_ID: undefined,
    },
  });
  try {
    const isUp = (): boolean => programs.every((program) => running().includes(program));
    await until(isUp, 60_000, () => `all run: ${running()}\n${run.output}`);
    run.signal('SIGTERM');
    await run.exit(20_000);
    await until(
      () => running().length === 0,
      20_000,
      () => `nothing is left: ${running()}`,
    );
  } finally {
    await run.stop();
  }
  expect(running()).toEqual([]);
});

it('a process that is killed leaves no softphone behind', async () => {
  const softphones = new URL('../../dev/softphone/', import.meta.url).href;
  const [control, tls] = await freePorts(2);
  // baresip listens on its port and on the next one.
  const { low: sip } = await systemPorts();
  const [rtpLow] = await mediaPorts(30);
  const rtp = [rtpLow, rtpLow + 12] as const;
  const common = { address: '127.0.0.1', user: 'phone', toneHertz: 440, codecs: ['PCMU/8000/1'] };
  const baresip = {
    ...common,
    directory: join(folder, 'baresip'),
    sipPort: sip,
    controlPort: control,
    transport: 'udp',
    rtpPorts: { low: rtp[0], high: rtp[0] + 10 },
  };
  const linphone = {
    ...common,
    directory: join(folder, 'linphone'),
    tlsPort: tls,
    caFile: '/dev/null',
    rtpPorts: { low: rtp[1], high: rtp[1] + 10 },
  };
  const start = `
    import { Baresip } from ${JSON.stringify(`${softphones}baresip.ts`)};
    import { Linphone } from ${JSON.stringify(`${softphones}linphone.ts`)};
    await Baresip.start(${JSON.stringify(baresip)});
    await Linphone.start(${JSON.stringify(linphone)});
    console.log('started');
    setInterval(() => {}, 1_000);`;
  const argv = ['--import', 'tsx', '--input-type=module', '--eval', start];
  const owner = new TestProcess(process.execPath, argv);
  try {
    await owner.line(/started/, 30_000);
    expect(running().toSorted()).toEqual(['baresip', 'linphonec', 'node']);
  } finally {
    owner.signal('SIGKILL');
    await owner.exit(5_000);
  }
  await until(
    () => running().length === 0,
    20_000,
    () => `nothing is left: ${running()}`,
  );
});
