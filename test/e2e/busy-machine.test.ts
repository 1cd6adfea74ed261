import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyFileSchema } from '../../src/launcher/ready-file.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { pause, until } from '../../src/testkit/waiting.js';
import { CallStream } from '../support/call-stream.js';
import { freePorts, mediaPorts, systemPorts } from '../support/free-ports.js';
import { copyMigratedTemplate } from '../support/postgres.js';
import { TestProcess } from '../support/processes.js';

/** They end after a bounded time, whatever becomes of this test. */
const busyLoop = 'const end = Date.now() + 240_000; while (Date.now() < end);';
const busyLoopsOnCore = 2;

let stateDirectory: string;
let environment: NodeJS.ProcessEnv;
const loops: TestProcess[] = [];

/** Everything runs on one core, so that other tests have the others. */
const onOneCore = (...command: string[]): TestProcess =>
  // Each loop leads a session: with autogroups Linux shares the processors among sessions.
  new TestProcess('taskset', ['--cpu-list', '0', 'setsid', '--wait', ...command], { env: environment });

beforeAll(async () => {
  stateDirectory = mkdtempSync(join(tmpdir(), 'demarc-busy-'));
  await copyMigratedTemplate(join(stateDirectory, 'postgres'));
  const [sip, http] = await freePorts(2);
  const [rtpLow, rtpHigh] = await mediaPorts(100);
  const { low, high } = await systemPorts();
  environment = {
    ...process.env,
    DEMARC_STATE_DIR: stateDirectory,
    DEMARC_SIP_TLS_PORT: String(sip),
    DEMARC_HTTP_PORT: String(http),
    DEMARC_RTP_PORTS: `${rtpLow}-${rtpHigh}`,
    DEMARC_PRIVATE_PORTS: `${low}-${high}`,
    // What a further edge costs, the loops cost twice.
    DEMARC_EDGES: '1',
    DEMARC_DRAIN_SECONDS: '1',
    DEMARC_MEDIA_TIMEOUT_SECONDS: '600',
  };
});

const endLoops = () => Promise.all(loops.map((loop) => loop.stop(1_000)));

afterAll(async () => {
  await endLoops();
  rmSync(stateDirectory, { recursive: true, force: true });
});

describe('npm start beside two busy processes on each core', () => {
  it('comes up, holds its calls, answers requests, and restarts no process', async () => {
    for (let index = 0; index < busyLoopsOnCore; index++) {
      loops.push(onOneCore(process.execPath, '-e', busyLoop));
    }
    const start = join(import.meta.dirname, '..', '..', 'dev', 'setup', 'start.mjs');
    const running = onOneCore(process.execPath, start);
    try {
      await running.line(/Demarc is up/, 200_000);
      const { sip, demo, http } = readyFileSchema.parse(
        JSON.parse(readFileSync(join(stateDirectory, 'ready.json'), 'utf8')),
      );
      const peer = await SipPeer.open({
        protocol: 'tls',
        target: { host: sip.host, port: sip.port },
        ca: readFileSync(sip.caFile, 'utf8'),
      });
      const calls = new CallStream(peer, {
        number: demo.number,
        callsPerSecond: 1,
        holdMilliseconds: 1_000,
      });
      await calls.hold(3);
      const end = performance.now() + 2_000;
      const headers = { authorization: `Bearer ${http.apiKey}` };
      while (performance.now() < end) {
        await until(
          async () => (await fetch(`${http.url}/v1/sip/calls?limit=1`, { headers })).ok,
          20_000,
          'an answer of control',
        );
        await pause(500);
      }
      await calls.hangUpHeld();
      await peer.close();
      expect(calls.failures).toEqual([]);
      expect(running.output).not.toMatch(/restarting|did not answer/);
    } finally {
      await endLoops();
      running.signal('SIGTERM');
      await running.exit(60_000);
    }
  }, 300_000);
});
