import { expect, it } from 'vitest';
import { readEdgeSettings } from '../../../src/config/edge-settings.js';
import { renameFormerSettings } from '../../../src/config/former-names.js';

it('settings under their former names still count, with one warning each', () => {
  const environment: Record<string, string | undefined> = {
    EDGE_SOURCE_POLICY: 'any',
    HEP_FORWARD: 'tcp:homer.example.com:9060',
    METRICS_TOKEN: 'a-token-of-16-octets',
  };
  expect(renameFormerSettings(environment)).toEqual([
    expect.stringContaining('EDGE_SOURCE_POLICY is now DEMARC_SOURCE_POLICY.'),
    expect.stringContaining('HEP_FORWARD is now DEMARC_HEP_FORWARD.'),
    expect.stringContaining('METRICS_TOKEN is now DEMARC_METRICS_TOKEN.'),
  ]);
  expect(Object.keys(environment)).toEqual([
    'DEMARC_SOURCE_POLICY',
    'DEMARC_HEP_FORWARD',
    'DEMARC_METRICS_TOKEN',
  ]);
  const settings = readEdgeSettings({
    ...environment,
    DRACHTIO_HOST: '127.0.0.1',
    DEMARC_AGENT_LISTEN: '127.0.0.1:5070',
  });
  expect(settings.admission.sourcePolicy).toBe('any');
  expect(renameFormerSettings(environment)).toEqual([]);
});

it('a present name wins over the former one', () => {
  const environment = { EDGE_SOURCE_POLICY: 'any', DEMARC_SOURCE_POLICY: 'none' };
  expect(renameFormerSettings(environment)).toEqual([
    'EDGE_SOURCE_POLICY is ignored: DEMARC_SOURCE_POLICY is set.',
  ]);
  expect(environment).toEqual({ DEMARC_SOURCE_POLICY: 'none' });
});
