import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Baresip } from '../../dev/softphone/baresip.js';
import { hearTone } from '../../dev/softphone/tone.js';
import type { TraceEntry } from '../../src/contract/call-record.js';
import { numberKey } from '../../src/contract/keys.js';
import { generateSecretKey } from '../../src/contract/secret.js';
import { ensureCertificates } from '../../src/launcher/certificates.js';
import { PrivatePorts } from '../../src/launcher/ports.js';
import { until } from '../../src/testkit/waiting.js';
import { PrivateRedis } from '../contract/redis/private-redis.js';
import { demarcCommand } from '../support/engine-under-test.js';
import { systemPorts } from '../support/free-ports.js';
import { PrivatePostgres } from '../support/postgres.js';
import { TestProcess } from '../support/processes.js';

/** The profiles drachtio, media, data and control of docker-compose.yml without docker: the scripts of docker/, with a drachtio-server of this machine. */
const drachtio = process.env.DRACHTIO_BINARY;
const root = join(import.meta.dirname, '..', '..');
const script = (name: string): string => join(root, 'docker', name);
const number = '12025550100';

describe('the services of the profile drachtio', () => {
  let ports: PrivatePorts;
  const processes: TestProcess[] = [];
  let directory: string;
  let redis: PrivateRedis;
  let postgres: PrivatePostgres;
  let api: { readonly url: string; readonly key: string };
  let phone: Baresip;
  let tlsPort: number;

  const run = (
    file: string,
    args: readonly string[],
    environment: Record<string, string> = {},
  ): TestProcess => {
    const started = new TestProcess(file, args, { cwd: root, env: { ...process.env, ...environment } });
    processes.push(started);
    return started;
  };

  async function startAll(): Promise<void> {
    directory = mkdtempSync(join(tmpdir(), 'demarc-production-'));
    ports = new PrivatePorts(await systemPorts());
    const certificates = await ensureCertificates(directory, {
      dns: ['localhost'],
      addresses: ['127.0.0.1'],
    });
    redis = await PrivateRedis.start();
    postgres = await PrivatePostgres.start();
    tlsPort = await ports.take();
    const port = async (): Promise<string> => String(await ports.take());
    const [ng, admin, hep, agent, http] = [
      await port(),
      await port(),
      await port(),
      await port(),
      await port(),
    ];
    const secret = generateSecretKey();
    run(script('rtpengine.sh'), [], {
      LOCAL_ADDRESS: '127.0.0.1',
      RTPENGINE_NG_PORT: ng,
      RTP_PORT_MIN: '25100',
      RTP_PORT_MAX: '25399',
    });
    run(script('drachtio.sh'), [], {
      LOCAL_ADDRESS: '127.0.0.1',
      DRACHTIO_SECRET: secret,
      TLS_PORT: String(tlsPort),
      ADMIN_PORT: admin,
      AGENT_SIDE_PORT: await port(),
      HEP_PORT: hep,
      METRICS_PORT: await port(),
      TLS_KEY: certificates.keyFile,
      TLS_CERT: certificates.certificateFile,
      CONFIG_TEMPLATE: script('drachtio.conf.xml.template'),
      DRACHTIO_BINARY: drachtio!,
    });
    run(...demarcCommand('agent', ['--listen', `127.0.0.1:${agent}`]));
    const forEdge = {
      NODE_ENV: 'production',
      DEMARC_REDIS_URL: redis.url,
      DEMARC_SECRET_KEY: generateSecretKey(),
      DEMARC_STATE_DIR: directory,
      DRACHTIO_HOST: '127.0.0.1',
      DRACHTIO_PORT: admin,
      DRACHTIO_SECRET: secret,
      DEMARC_HEP_LISTEN: `127.0.0.1:${hep}`,
      DEMARC_RTPENGINE: `127.0.0.1:${ng}`,
      DEMARC_AGENT_URI: `sip:agent@127.0.0.1:${agent};transport=tcp`,
      DEMARC_HTTP_PORT: http,
      DEMARC_DRAIN_SECONDS: '3',
      DEMARC_SOURCE_POLICY: 'none',
      // The phone describes its media there.
      DEMARC_PRIVATE_NETWORKS: '127.0.0.0/8',
    };
    const forControl = {
      NODE_ENV: 'production',
      DATABASE_URL: await postgres.database(),
      DEMARC_REDIS_URL: redis.url,
      DEMARC_SECRET_KEY: forEdge.DEMARC_SECRET_KEY,
      DEMARC_HTTP_PORT: await port(),
    };
    run(...demarcCommand('control', []), forControl);
    run(...demarcCommand('edge', []), forEdge);
    await bringNumber(forControl);
    const isReady = async (): Promise<boolean> =>
      (await fetch(`http://127.0.0.1:${http}/readyz`).catch(() => undefined))?.ok ?? false;
    await until(isReady, 30_000, () => processes.map(({ output }) => output.slice(-1_000)).join('\n'));
    const sipPort = await ports.takeRun(2);
    const rtp = await ports.takeRun(8);
    phone = await Baresip.start({
      directory: join(directory, 'phone'),
      address: '127.0.0.1',
      sipPort,
      controlPort: await ports.take(),
      rtpPorts: { low: rtp, high: rtp + 7 },
      user: 'caller',
      transport: 'tls',
      mediaEncryption: 'srtp-mand',
      codecs: ['PCMU/8000/1'],
      toneHertz: 1_000,
    });
  }

  const call = async <Data>(path: string, body?: unknown): Promise<Data> => {
    const answer = await fetch(api.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return ((await answer.json()) as { data: Data }).data;
  };

  /** As docs/production.md says: an organization, a key, a number. */
  async function bringNumber(environment: Record<string, string>): Promise<void> {
    const organization = run(...demarcCommand('org', ['create', 'acme', '--sip']), environment);
    expect(await organization.exit(20_000), organization.output).toBe(0);
    const key = run(...demarcCommand('key', ['create', 'acme']), environment);
    expect(await key.exit(20_000), key.output).toBe(0);
    api = {
      url: `http://127.0.0.1:${environment.DEMARC_HTTP_PORT}`,
      key: /sk-demarc-\S+/.exec(key.output)![0],
    };
    const isUp = async (): Promise<boolean> =>
      (await fetch(`${api.url}/livez`).catch(() => undefined))?.ok ?? false;
    await until(isUp, 30_000, () => processes.map(({ output }) => output.slice(-1_000)).join('\n'));
    const attached = await call<{ configured: string[] }>('/v1/sip/attach', {
      phone_numbers: [`+${number}`],
      directions: [{ type: 'inbound', allowed_ips: ['127.0.0.1'] }],
      service: 'sip',
    });
    expect(attached.configured).toEqual([`+${number}`]);
    const client = redis.client();
    await until(async () => (await client.exists(numberKey(number))) === 1, 20_000, 'the number in Redis');
    client.disconnect();
  }

  beforeAll(async () => {
    if (drachtio !== undefined) await startAll();
  });

  afterAll(async () => {
    await phone?.stop();
    for (const started of processes.toReversed()) await started.stop();
    await redis?.stop();
    await postgres?.stop();
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  });

  it('take a call through hold and resume, and the record has every message', async ({ skip }) => {
    skip(drachtio === undefined, 'DRACHTIO_BINARY names no drachtio-server');
    await phone.dial(`sip:${number}@127.0.0.1:${tlsPort}`);
    await phone.waitFor('CALL_ESTABLISHED', 20_000);
    await sleep(4_000);
    await phone.hold();
    await sleep(500);
    await phone.resume();
    await sleep(500);
    await phone.hangup();
    await phone.waitFor('CALL_CLOSED', 20_000);
    interface Calls {
      readonly calls: { readonly call_id: string }[];
    }
    await until(
      async () => (await call<Calls>('/v1/sip/calls')).calls.length === 1,
      20_000,
      'the call in the history',
    );
    const [listed] = (await call<Calls>('/v1/sip/calls')).calls;
    const record = await call<{ readonly trace: TraceEntry[] }>(
      `/v1/sip/calls/${encodeURIComponent(listed!.call_id)}`,
    );
    await phone.stop();
    expect(record).toMatchObject({
      outcome: 'completed',
      end_reason: 'caller_hung_up',
      sip_code: 200,
      media: { srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
    });
    const trunk = record.trace.filter(({ leg }) => leg === 'trunk').map(({ summary }) => summary);
    expect(trunk.filter((summary) => summary === 'INVITE')).toHaveLength(3);
    expect(trunk.filter((summary) => summary === 'ACK')).toHaveLength(3);
    expect(trunk.filter((summary) => summary === '100 Trying').length).toBeGreaterThan(0);
    expect(trunk.slice(-2)).toEqual(['BYE', '200 OK']);
    for (const { output } of processes) expect(output).not.toMatch(/inline:(?!\[redacted\])/);
    // Before the hold: baresip records no more after it.
    const [heard] = phone.heard;
    expect(hearTone(heard!, 440).seconds).toBeGreaterThan(1);
    expect(hearTone(heard!, 1_000).seconds).toBeGreaterThan(1);
  });
});
