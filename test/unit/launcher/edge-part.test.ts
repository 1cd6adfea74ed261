import { describe, expect, it } from 'vitest';
import type { PartContext } from '../../../src/launcher/part.js';
import { edgePart } from '../../../src/launcher/parts/edge.js';
import { readLauncherSettings } from '../../../src/launcher/settings.js';

const needs = {
  redis: { url: 'redis://127.0.0.1:1' },
  rtpengine: { ng: '127.0.0.1:2' },
  engine: { adminPort: 3, secret: 'secret', agentSide: '127.0.0.1:5' },
  agent: { uri: 'sip:agent@127.0.0.1:5;transport=tcp' },
  secretKey: 'key',
} as Parameters<typeof edgePart>[2];

describe('the edge of npm start', () => {
  it.each(['0.0.0.0', '10.0.0.5', '::'])('keeps its HTTP side private when bound to %s', async (bind) => {
    const context = {
      settings: readLauncherSettings({ DEMARC_BIND: bind }),
      directory: { path: '/nowhere' },
      facts: { port: () => Promise.resolve(21_000), secret: (name: string) => `secret of ${name}` },
    } as unknown as PartContext;
    const { plan, facts } = await edgePart(context, 2, needs);
    expect(plan.environment).toMatchObject({
      DEMARC_BIND: '127.0.0.1',
      DEMARC_HTTP_PORT: '21000',
      DEMARC_EDGE_ID: 'edge-2',
      DEMARC_STATE_DIR: '/nowhere/edge-2',
    });
    expect(facts.url).toBe('http://127.0.0.1:21000');
  });
});
