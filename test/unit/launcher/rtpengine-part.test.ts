import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PartContext } from '../../../src/launcher/part.js';
import { rtpenginePart } from '../../../src/launcher/parts/rtpengine.js';
import { readLauncherSettings } from '../../../src/launcher/settings.js';

async function argumentsWith(environment: Record<string, string>): Promise<readonly string[]> {
  const context = {
    settings: readLauncherSettings(environment),
    facts: { port: () => Promise.resolve(21_000) },
  } as unknown as PartContext;
  return (await rtpenginePart(context)).plan.args;
}

describe('rtpengine', () => {
  it('keeps silent sessions until the edge has ended their calls', async () => {
    expect(await argumentsWith({})).toContain('--timeout=60');
    expect(await argumentsWith({ DEMARC_MEDIA_TIMEOUT_SECONDS: '3600' })).toContain('--timeout=3630');
  });

  it('frees the ports of a call after ten minutes if its edge died during call setup', async () => {
    expect(await argumentsWith({})).toContain('--offer-timeout=600');
    expect(readFileSync('docker/rtpengine.sh', 'utf8')).toContain('--offer-timeout=600');
  });

  it('logs no command, which would reveal SRTP keys', async () => {
    expect(await argumentsWith({})).toContain('--log-level-control=3');
    expect(readFileSync('docker/rtpengine.sh', 'utf8')).toContain('--log-level-control=3');
  });
});
