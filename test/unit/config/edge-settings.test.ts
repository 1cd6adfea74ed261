import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readEdgeSettings } from '../../../src/config/edge-settings.js';
import { SettingsError } from '../../../src/config/environment.js';

const tls = { DEMARC_TLS_CERT: '/c.pem', DEMARC_TLS_KEY: '/k.pem' };

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readEdgeSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
};

describe('edge settings', () => {
  it('have the documented defaults', () => {
    expect(readEdgeSettings(tls)).toMatchObject({
      drachtio: undefined,
      redis: { url: 'redis://127.0.0.1:6379' },
      engine: { bind: '127.0.0.1', tlsPort: 5061, tcpPort: undefined, udpPort: undefined },
      admission: { sourcePolicy: 'none', trustUdpSources: false },
      http: { host: '127.0.0.1', port: 8080 },
    });
  });

  it('read lists, addresses and flags; an empty variable counts as absent', () => {
    const settings = readEdgeSettings({
      ...tls,
      DEMARC_RTPENGINE: '10.0.0.1:22222, [::1]:2223;weight=3',
      DRACHTIO_HOST: '10.0.0.3',
      DEMARC_SOURCE_POLICY: 'any',
      DEMARC_DIGEST_MD5: 'only',
      DEMARC_HEP_FORWARD: '',
      DEMARC_SIP_UDP_PORT: '5060',
    });
    expect(settings.rtpengine.nodes).toEqual([
      { host: '10.0.0.1', port: 22222 },
      { host: '::1', port: 2223, weight: 3 },
    ]);
    for (const wrong of ['10.0.0.1:22222;weight=0', '10.0.0.1;weight=2', '10.0.0.1:22222;weight=2.5']) {
      expect(() => readEdgeSettings({ ...tls, DEMARC_RTPENGINE: wrong })).toThrow(
        /DEMARC_RTPENGINE.*weight=1 to 999/,
      );
    }
    expect(settings.drachtio).toEqual({ host: '10.0.0.3', port: 9022, secret: 'cymru' });
    expect(settings.admission).toMatchObject({ sourcePolicy: 'any', digest: { algorithms: ['MD5'] } });
    expect(settings.trace.forward).toBeUndefined();
    expect(settings.engine.udpPort).toBe(5060);
  });

  it('are frozen in depth', () => {
    const settings = readEdgeSettings(tls) as unknown as { http: { port: number } };
    expect(() => {
      settings.http.port = 1;
    }).toThrow(TypeError);
  });

  it('name every variable that is wrong at once, and not the value of a secret', () => {
    const problems = problemsOf({
      ...tls,
      DEMARC_SIP_TLS_PORT: '70000',
      DEMARC_REDIS_URL: 'http://user:hunter2@x',
      DEMARC_HEP_LISTEN: 'nonsense',
      DEMARC_METRICS_TOKEN: 'hunter2 with space',
    });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'DEMARC_REDIS_URL',
      'DEMARC_SIP_TLS_PORT',
      'DEMARC_HEP_LISTEN',
      'DEMARC_METRICS_TOKEN',
    ]);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('need a key for secrets in production', () => {
    expect(problemsOf({ ...tls, NODE_ENV: 'production' })).toEqual([
      expect.stringContaining('DEMARC_SECRET_KEY'),
    ]);
    expect(problemsOf(tls)).toEqual([]);
  });

  it('need certificate and key for the embedded engine only', () => {
    expect(problemsOf({})).toEqual([expect.stringContaining('DEMARC_TLS_CERT')]);
    expect(problemsOf({ DEMARC_TLS_CERT: 'x' })).toHaveLength(1);
    expect(problemsOf({ DRACHTIO_HOST: 'x' })).toEqual([]);
  });

  it.each(['yes please', 'a b', 'x'.repeat(65)])('refuse the edge id %j', (id) => {
    expect(problemsOf({ ...tls, DEMARC_EDGE_ID: id })).toHaveLength(1);
  });
});

describe('the announcement for lost agents', () => {
  const directory = mkdtempSync(join(tmpdir(), 'demarc-announcement-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const wav = (octets: number, riff = 'RIFF', wave = 'WAVE'): string => {
    const path = join(directory, `${riff}${wave}${octets}.wav`);
    const file = Buffer.alloc(octets);
    file.write(riff, 0, 'latin1');
    file.write(wave, 8, 'latin1');
    writeFileSync(path, file);
    return path;
  };

  it('accepts a WAVE file that one datagram can carry', () => {
    expect(problemsOf({ ...tls, DEMARC_AGENT_LOST_ANNOUNCEMENT: wav(60_000) })).toEqual([]);
  });

  it.each([
    [() => wav(60_001), 'has 60001 octets'],
    [() => wav(100, 'RIFX'), 'is not a WAV file'],
    [() => wav(100, 'RIFF', 'AVI '), 'is not a WAV file'],
    [() => join(directory, 'absent.wav'), 'cannot be read: ENOENT'],
  ])('rejects another file (%#)', (path, problem) => {
    const problems = problemsOf({ ...tls, DEMARC_AGENT_LOST_ANNOUNCEMENT: path() });
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe('where the edge tells agents by their port', () => {
  const listens = (environment: Record<string, string>): boolean =>
    readEdgeSettings({ ...tls, ...environment }).agentCalls.listen !== undefined;
  const any = { DEMARC_AGENT_LISTEN: '127.0.0.1:0' };

  it.each([
    ['a fixed port', { DEMARC_AGENT_LISTEN: '127.0.0.1:5070', DRACHTIO_HOST: 'x' }, true],
    ['any port of the embedded engine, beside fixed ports for trunks', any, true],
    ['any port, beside any port for trunks', { ...any, DEMARC_SIP_TLS_PORT: '0' }, false],
    ['any port of drachtio-server', { ...any, DRACHTIO_HOST: 'x' }, false],
  ])('%s', (_what, environment, isKnown) => {
    expect(listens(environment)).toBe(isKnown);
  });

  it('has the operator’s credentials only with a password', () => {
    const password = 'p'.repeat(16);
    expect(readEdgeSettings(tls).agentCalls.operator).toBeUndefined();
    expect(readEdgeSettings({ ...tls, DEMARC_AGENT_PASSWORD: password }).agentCalls.operator).toMatchObject({
      password,
    });
  });

  it.each([
    ['trunks', { trunk: true, agent: false }],
    ['agents', { trunk: false, agent: true }],
    ['all', { trunk: true, agent: true }],
  ])('learns media addresses of %s', (value, symmetric) => {
    expect(readEdgeSettings({ ...tls, DEMARC_SYMMETRIC_RTP: value }).rtpengine.symmetric).toEqual(symmetric);
  });
});
