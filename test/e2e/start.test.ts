import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programs } from '../../dev/setup/bootstrap.mjs';
import { Linphone } from '../../dev/softphone/linphone.js';
import { hearTone } from '../../dev/softphone/tone.js';
import { isRunning, type ProcessIdentity, processIdentitySchema } from '../../src/base/process-identity.js';
import { type ReadyFile, readyFileSchema } from '../../src/launcher/ready-file.js';
import { SipPeer } from '../../src/testkit/sip-peer.js';
import { pause, until } from '../../src/testkit/waiting.js';
import { CallStream } from '../support/call-stream.js';
import { freePort, freePorts, mediaPorts, systemPorts } from '../support/free-ports.js';
import { TestProcess } from '../support/processes.js';
import { RequestLoop } from '../support/request-loop.js';

/** A command as a user runs it, on a separate state directory and ports. */
const command = (name: string): string => join(import.meta.dirname, '..', '..', 'dev', name);

let stateDirectory: string;
let environment: NodeJS.ProcessEnv;
let running: TestProcess;
const parts = ['agent', 'control', 'edge-1', 'edge-2', 'engine', 'postgres', 'redis', 'rtpengine'];

function start(changes: NodeJS.ProcessEnv = {}, ...args: string[]): TestProcess {
  return new TestProcess(process.execPath, [command('setup/start.mjs'), ...args], {
    env: { ...environment, ...changes },
  });
}

async function startAndWait(): Promise<TestProcess> {
  const started = start();
  await started.line(/Demarc is up/, 110_000);
  return started;
}

async function call(...args: string[]): Promise<{ code: number | null; output: string }> {
  const caller = new TestProcess(process.execPath, [command('call/call.mjs'), ...args], { env: environment });
  const code = await caller.exit(60_000);
  return { code, output: caller.output };
}

const readReady = (): ReadyFile =>
  readyFileSchema.parse(JSON.parse(readFileSync(join(stateDirectory, 'ready.json'), 'utf8')));

function partIdentities(directory = stateDirectory): Map<string, ProcessIdentity> {
  const run = join(directory, 'run');
  const found = new Map<string, ProcessIdentity>();
  for (const file of readdirSync(run)) {
    try {
      const identity = processIdentitySchema.parse(JSON.parse(readFileSync(join(run, file), 'utf8')));
      found.set(file.replace('.json', ''), identity);
    } catch (error) {
      // A part that ends in this moment takes its file with it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return found;
}

const supervisor = (): ProcessIdentity =>
  processIdentitySchema.parse(JSON.parse(readFileSync(join(stateDirectory, 'supervisor.json'), 'utf8')));

const isReady = async (): Promise<boolean> =>
  (await fetch(`${readReady().http.url}/readyz`).catch(() => undefined))?.ok ?? false;

/** Calls that are up, as the metrics of both edges say. */
async function activeCalls(): Promise<number> {
  const text = await (await fetch(`${readReady().http.url}/metrics`)).text();
  const samples = [...text.matchAll(/^demarc_calls(?:\{edge="edge-\d"\})? (\d+)$/gm)];
  return samples.reduce((sum, [, value]) => sum + Number(value), 0);
}

/** Answered calls: those that ring end with their edge. */
async function talkingCalls(): Promise<number> {
  const { url, apiKey } = readReady().http;
  const live = await fetch(`${url}/v1/noc/calls/live`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { data } = (await live.json()) as { data: { calls: { state: string }[] } | null };
  return (data?.calls ?? []).filter(({ state }) => state === 'answered').length;
}

beforeAll(async () => {
  stateDirectory = mkdtempSync(join(tmpdir(), 'demarc-start-'));
  const [sip, http] = await freePorts(2);
  const [rtpLow, rtpHigh] = await mediaPorts(300);
  const { low, high } = await systemPorts();
  environment = {
    ...process.env,
    DEMARC_STATE_DIR: stateDirectory,
    DEMARC_SIP_TLS_PORT: String(sip),
    DEMARC_HTTP_PORT: String(http),
    DEMARC_RTP_PORTS: `${rtpLow}-${rtpHigh}`,
    DEMARC_PRIVATE_PORTS: `${low}-${high}`,
    DEMARC_DRAIN_SECONDS: '3',
    DEMARC_UNRESPONSIVE_SECONDS: '6',
    // Scripted callers send no audio.
    DEMARC_MEDIA_TIMEOUT_SECONDS: '600',
  };
  running = await startAndWait();
});

afterAll(async () => {
  await running?.stop(20_000);
  rmSync(stateDirectory, { recursive: true, force: true });
});

describe('npm start', () => {
  it('lists all addresses in ready.json and on the terminal', async () => {
    const ready = readReady();
    expect(ready.sip).toEqual({
      host: '127.0.0.1',
      port: Number(environment.DEMARC_SIP_TLS_PORT),
      transport: 'tls',
      caFile: join(stateDirectory, 'tls', 'ca.crt'),
    });
    expect(ready.http.url).toBe(`http://127.0.0.1:${environment.DEMARC_HTTP_PORT}`);
    expect(running.output).toContain(`sip:${ready.demo.number}@127.0.0.1:${ready.sip.port};transport=tls`);
    expect(running.output).toContain('npm run call');
    expect(existsSync(ready.sip.caFile)).toBe(true);
    expect([...partIdentities().keys()].sort()).toEqual(parts);
    expect(await isReady()).toBe(true);
  });

  it('keeps its keys and passwords to the owner', async () => {
    for (const file of [
      'ready.json',
      'env',
      'secret.key',
      'api.key',
      'tls/ca.key',
      'tls/server.key',
      'redis/redis.conf',
    ]) {
      expect(statSync(join(stateDirectory, file)).mode & 0o077, file).toBe(0);
    }
    const { url } = readReady().redis;
    const redis = new Redis(url, { maxRetriesPerRequest: 0 });
    expect(await redis.ping()).toBe('PONG');
    redis.disconnect();
    const stranger = new Redis(url.replace(/:[^:@/]+@/, ':wrong@'), {
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    stranger.on('error', () => undefined);
    await expect(stranger.ping()).rejects.toThrow();
    stranger.disconnect();
  });

  it.each(['PCMU', 'opus', 'G722'])('takes a call of a softphone with %s, audio both ways', async (codec) => {
    const { code, output } = await call('--codec', codec);
    expect(output).toMatch(/INVITE, SDP/);
    expect(output).toMatch(/200 .*\(INVITE, SDP\)/);
    expect(output).toMatch(/200 .*\(BYE\)/);
    expect(output).toMatch(new RegExp(`Codec +${codec}/`));
    expect(output).toMatch(/SRTP suite +AES_CM_128_HMAC_SHA1_80/);
    expect(output).toMatch(/Agent heard +yes/);
    expect(output).toMatch(/Echo heard +yes/);
    expect(output).not.toContain('inline:');
    expect(code, output).toBe(0);
  });

  it('has an API key that works, and shows the calls in the history', async () => {
    const { url, apiKey } = readReady().http;
    expect(running.output).toContain(apiKey);
    const answer = await fetch(`${url}/v1/sip/calls`, { headers: { authorization: `Bearer ${apiKey}` } });
    const { data } = (await answer.json()) as { data: { calls: { status: string }[] } };
    expect(data.calls.map(({ status }) => status)).toContain('200 OK');
    expect((await fetch(`${url}/docs/`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('demarc_calls');
  });

  it('explains why a call to an unknown number fails, and exits 1', async () => {
    const { code, output } = await call('--number', '12025550199');
    expect(output).toContain('404');
    expect(code).toBe(1);
  });

  it('takes a call of linphonec, which verifies the certificate and its name', async () => {
    const [low, high] = await mediaPorts(4);
    const { sip, demo } = readReady();
    const phone = await Linphone.start({
      directory: join(stateDirectory, 'linphone'),
      address: '127.0.0.1',
      tlsPort: await freePort(),
      rtpPorts: { low, high },
      user: 'caller',
      caFile: sip.caFile,
      toneHertz: 1_000,
    });
    try {
      phone.dial(`sip:${demo.number}@localhost:${sip.port};transport=tls`);
      await phone.waitUntilEstablished(30_000);
      await pause(5_000);
      phone.hangup();
      await phone.waitUntilEnded(20_000);
    } finally {
      await phone.stop();
    }
    expect(hearTone(phone.heard, 440).seconds).toBeGreaterThan(0.3);
    expect(hearTone(phone.heard, 1_000).seconds).toBeGreaterThan(0.5);
  });

  it('refuses a second start on the same ports, names them and how to change them, and leaves no files or processes', async () => {
    const other = mkdtempSync(join(tmpdir(), 'demarc-second-'));
    try {
      const second = start({ DEMARC_STATE_DIR: other });
      expect(await second.exit(60_000)).toBe(1);
      for (const name of ['DEMARC_SIP_TLS_PORT', 'DEMARC_HTTP_PORT']) {
        expect(second.output).toContain(`port ${environment[name]} on 127.0.0.1 is taken by process`);
        expect(second.output).toContain(`${name}=`);
      }
      expect([...partIdentities(other).keys()]).toEqual([]);
      expect(existsSync(join(other, 'supervisor.json'))).toBe(false);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
    expect(await isReady()).toBe(true);
  });

  it('refuses a second start in the same directory and names the running one', async () => {
    const second = start();
    expect(await second.exit(60_000)).toBe(1);
    expect(second.output).toContain(`process ${supervisor().pid}`);
    expect(second.output).toContain('DEMARC_STATE_DIR');
    expect(existsSync(join(stateDirectory, 'ready.json'))).toBe(true);
    expect(await isReady()).toBe(true);
  });

  it.each([
    ...['edge-1', 'redis', 'rtpengine', 'engine', 'agent', 'control', 'postgres'].map(
      (part) => [part, 'SIGKILL'] as const,
    ),
    // It runs, and answers nothing.
    ['rtpengine', 'SIGSTOP'] as const,
    ['edge-2', 'SIGSTOP'] as const,
  ])('brings back %s after %s, and calls go through again', async (part, signal) => {
    const crashed = partIdentities().get(part)!;
    process.kill(crashed.pid, signal);
    await until(
      () => (partIdentities().get(part)?.pid ?? crashed.pid) !== crashed.pid,
      20_000,
      `another ${part}`,
    );
    await running.line(new RegExp(`${part} is ready again`), 20_000);
    await until(isReady, 20_000, '/readyz');
    const { code, output } = await call('--seconds', '5');
    expect(code, output).toBe(0);
  });

  it('adopts all processes after a kill -9 of the launcher, and a call does not notice', async () => {
    const left = partIdentities();
    const caller = call('--seconds', '12');
    await until(async () => (await activeCalls()) === 1, 20_000, 'the call is up');
    process.kill(supervisor().pid, 'SIGKILL');
    await running.exit(20_000);
    expect([...left.values()].filter(isRunning)).toHaveLength(parts.length);
    running = await startAndWait();
    expect(running.output).toContain('Adopted running processes');
    expect(partIdentities()).toEqual(left);
    // The key is shown once, and stays.
    expect(running.output).not.toContain(readReady().http.apiKey);
    const { code, output } = await caller;
    expect(code, output).toBe(0);
    expect(await activeCalls()).toBe(0);
  });

  it('starts an adopted process again after it was killed', async () => {
    const crashed = partIdentities().get('edge-1')!;
    process.kill(crashed.pid, 'SIGKILL');
    await running.line(/edge-1 is ready again/, 20_000);
    expect(partIdentities().get('edge-1')?.pid).not.toBe(crashed.pid);
  });

  it('replaces all processes with --replace: no call fails or is cut, no request to the API is refused', async () => {
    const { sip, demo, http } = readReady();
    const before = partIdentities();
    const peer = await SipPeer.open({
      protocol: 'tls',
      target: { host: sip.host, port: sip.port },
      ca: readFileSync(sip.caFile, 'utf8'),
    });
    const calls = new CallStream(peer, {
      number: demo.number,
      callsPerSecond: 10,
      holdMilliseconds: 1_000,
    });
    await calls.hold(5);
    const requests = new RequestLoop(`${http.url}/v1/sip/calls?limit=1`, {
      authorization: `Bearer ${http.apiKey}`,
    });
    const load = calls.run();
    const former = running;
    running = start({}, '--replace');
    await running.line(/Replaced all processes/, 180_000);
    expect(await former.exit(20_000)).toBe(0);
    await requests.stop();
    await calls.stop();
    await load;
    await calls.hangUpHeld();
    await peer.close();
    expect(calls.failures).toEqual([]);
    expect(requests.failures).toEqual([]);
    expect(requests.answered).toBeGreaterThan(20);
    const after = partIdentities();
    const isSame = (name: string): boolean => after.get(name)?.pid === before.get(name)?.pid;
    expect(parts.filter(isSame)).toEqual(['agent', 'postgres', 'redis', 'rtpengine']);
  }, 240_000);

  it('ends all that it started on SIGTERM, withdraws ready.json and exits 0', async () => {
    const started = [...partIdentities().values()];
    running.signal('SIGTERM');
    await until(() => !existsSync(join(stateDirectory, 'ready.json')), 20_000, 'ready.json withdrawn');
    expect(await running.exit(20_000), running.output).toBe(0);
    expect(started.filter(isRunning)).toEqual([]);
    expect([...partIdentities().keys()]).toEqual([]);
    expect(existsSync(join(stateDirectory, 'supervisor.json'))).toBe(false);
  });

  it('keeps a call with DEMARC_EDGES=1 when the only edge is killed, and demarc down ends all of it after the launcher', async () => {
    running = start({ DEMARC_EDGES: '1' });
    await running.line(/Demarc is up/, 110_000);
    const started = partIdentities();
    expect([...started.keys()].sort()).toEqual(parts.filter((name) => name !== 'edge-2'));
    const caller = call('--seconds', '8');
    await until(async () => (await talkingCalls()) === 1, 20_000, 'the call is answered');
    process.kill(started.get('edge-1')!.pid, 'SIGKILL');
    await running.line(/edge-1 is ready again/, 20_000);
    const { code, output } = await caller;
    expect(code, output).toBe(0);
    process.kill(supervisor().pid, 'SIGKILL');
    await running.exit(20_000);
    const left = [...partIdentities().values()];
    const down = (): TestProcess =>
      new TestProcess(process.execPath, [programs.demarc, 'down'], { env: environment });
    const first = down();
    expect(await first.exit(40_000), first.output).toBe(0);
    expect(left.filter(isRunning)).toEqual([]);
    const second = down();
    expect(await second.exit(20_000)).toBe(1);
    expect(second.output).toContain('does not run');
  }, 240_000);

  it('explains that Demarc is not running', async () => {
    const { code, output } = await call();
    expect(code).toBe(1);
    expect(output).toContain('npm start');
  });
});
