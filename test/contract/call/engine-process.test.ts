import { readFile, rm } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineLink } from '../../../src/edge/sip/engine-link.js';
import { EngineProcess } from '../../../src/edge/sip/engine-process.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';

const log = pino({ level: 'silent' });
let authority: TestAuthority;
let settings: ConstructorParameters<typeof EngineProcess>[0]['settings'];
beforeAll(async () => {
  authority = await TestAuthority.create();
  const issued = await authority.issue('edge');
  settings = {
    bind: '127.0.0.1',
    advertisedHost: undefined,
    tlsPort: 0,
    tcpPort: undefined,
    udpPort: undefined,
    forceRport: false,
    screening: [],
    agentListen: { host: '127.0.0.1', port: 0 },
    certificateFile: issued.certFile,
    keyFile: issued.keyFile,
    caFile: undefined,
  };
});
afterAll(() => rm(authority.directory, { recursive: true, force: true }));

describe('the embedded engine as a child', () => {
  it('is restarted when it dies, and the connection recovers', { timeout: 120_000 }, async () => {
    const engine = new EngineProcess({ settings, log });
    const link = new EngineLink(log);
    link.connect(await engine.start());
    await until(() => link.isUp, 5_000, 'connected');
    expect(link.advertised.length).toBeGreaterThanOrEqual(3);
    const first = engine.pid!;
    process.kill(first, 'SIGKILL');
    await until(() => !link.isUp, 5_000, 'the loss is noticed');
    await until(() => link.isUp, 15_000, 'connected again');
    expect(engine.pid).not.toBe(first);
    link.close();
    await engine.stop();
    expect(() => process.kill(engine.pid!, 0)).toThrow();
  });

  it('has none of our settings and secrets in its environment', { timeout: 60_000 }, async () => {
    const secrets = {
      DEMARC_SECRET_KEY: 'key-that-seals-passwords',
      DEMARC_REDIS_URL: 'redis://:redis-password@127.0.0.1',
    };
    Object.assign(process.env, secrets);
    const engine = new EngineProcess({ settings, log });
    try {
      await engine.start();
      const environment = (await readFile(`/proc/${engine.pid}/environ`, 'utf8')).split('\0');
      const names = environment.map((line) => line.split('=', 1)[0]!);
      expect(names).toContain('PATH');
      expect(names.filter((name) => /DEMARC|DATABASE|REDIS|TOKEN/.test(name))).toEqual([
        'DEMARC_ENGINE_SECRET',
      ]);
      expect(environment.join()).not.toMatch(/key-that-seals-passwords|redis-password/);
    } finally {
      await engine.stop();
      for (const name of Object.keys(secrets)) delete process.env[name];
    }
  });

  it('reports when it cannot start', { timeout: 120_000 }, async () => {
    const engine = new EngineProcess({
      settings: { ...settings, certificateFile: '/nonexistent.pem' },
      log,
    });
    await expect(engine.start()).rejects.toThrow('did not start');
    await engine.stop();
  });
});
