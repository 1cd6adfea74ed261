import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isMetricsToken } from '../../../src/config/metrics-token.js';
import { ensureMetricsToken } from '../../../src/launcher/metrics-token.js';
import type { PartContext } from '../../../src/launcher/part.js';
import { controlPart } from '../../../src/launcher/parts/control.js';
import { readLauncherSettings } from '../../../src/launcher/settings.js';

const needs = {
  engine: {
    adminPort: 40_001,
    metricsUrl: 'http://127.0.0.1:40002/metrics',
    agentSide: '127.0.0.1:40003',
  },
  rtpengine: { ng: '127.0.0.1:40004' },
  mediaStream: { port: 40_007 },
  spareEdge: { url: 'http://127.0.0.1:40005' },
  databaseUrl: 'd',
  redis: { url: 'r', port: 40_006 },
  sourcePolicy: 'any',
  secretKey: 'k',
  edges: [
    { name: 'edge-1', url: 'http://127.0.0.1:1' },
    { name: 'edge-2', url: 'http://127.0.0.1:2' },
  ],
  metricsToken: undefined,
  certificates: undefined,
  sipAuthorityFile: '/state/tls/ca.crt',
} as Parameters<typeof controlPart>[1];

const context = (environment: Record<string, string>): PartContext =>
  ({ settings: readLauncherSettings(environment) }) as unknown as PartContext;

describe('control of npm start', () => {
  it('speaks plain HTTP on loopback', () => {
    const { facts, plan } = controlPart(context({}), needs);
    expect(facts.url).toBe('http://127.0.0.1:8080');
    expect(plan.environment!.DEMARC_EDGE_HEALTH_URL).toBe(
      'edge-1=http://127.0.0.1:1,edge-2=http://127.0.0.1:2',
    );
    expect(Object.keys(plan.environment!).filter((name) => name.includes('TLS_CERT'))).toEqual([]);
    expect(plan.environment!.DEMARC_SIP_CA_CERT).toBe('/state/tls/ca.crt');
  });

  it('speaks HTTPS with the SIP certificate on a public address', () => {
    const certificates = { certificateFile: 'c', keyFile: 'k', caFile: 'a' };
    const { facts, plan } = controlPart(context({ DEMARC_BIND: '198.51.100.7' }), {
      ...needs,
      certificates,
      metricsToken: 'a-token-of-the-test',
    });
    expect(facts.url).toBe('https://198.51.100.7:8080');
    expect(plan.environment).toMatchObject({
      DEMARC_HTTP_TLS_CERT: 'c',
      DEMARC_HTTP_TLS_KEY: 'k',
      DEMARC_METRICS_TOKEN: 'a-token-of-the-test',
    });
  });

  it('keeps requests to URLs of customers from the private listeners of the other processes', () => {
    const { plan } = controlPart(context({ DEMARC_SIP_TLS_PORT: '7061' }), needs);
    const own = plan.environment!.DEMARC_OWN_PORTS!.split(',');
    expect(own.toSorted()).toEqual(['40001', '40002', '40003', '40004', '40005', '40006', '40007', '7061']);
  });

  it('keeps documents below the state directory', () => {
    const { plan } = controlPart(context({ DEMARC_STATE_DIR: '/srv/demarc' }), needs);
    expect(plan.environment).toMatchObject({ DEMARC_DOCUMENT_DIRECTORY: '/srv/demarc/documents' });
  });

  it('keeps its token over restarts, for its owner alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'demarc-token-'));
    try {
      const { token, file } = ensureMetricsToken(folder);
      expect(isMetricsToken(token)).toBe(true);
      expect(ensureMetricsToken(folder).token).toBe(token);
      expect(statSync(file).mode & 0o077).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
