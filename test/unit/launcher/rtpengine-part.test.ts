import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PartContext } from '../../../src/launcher/part.js';
import { rtpenginePart } from '../../../src/launcher/parts/rtpengine.js';
import { readLauncherSettings } from '../../../src/launcher/settings.js';

describe('rtpengine', () => {
  it('logs no command, which would reveal SRTP keys', async () => {
    const context = {
      settings: readLauncherSettings({}),
      facts: { port: () => Promise.resolve(21_000) },
    } as unknown as PartContext;
    const { plan } = await rtpenginePart(context);
    expect(plan.args).toContain('--log-level-control=3');
    expect(readFileSync('docker/rtpengine.sh', 'utf8')).toContain('--log-level-control=3');
  });
});
