import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { announcement } from '../../src/edge/test-call/announcement.js';
import { audioOfCalls } from './media/audio.js';
import { endingsOfCalls } from './media/endings.js';
import { Stack } from './stack.js';

/** The groups share an edge that soon ends calls without media, and plays a chime when it loses an agent. */
let stack: Stack;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demarc-media-'));
  const chime = join(directory, 'chime.wav');
  await writeFile(chime, announcement());
  stack = await Stack.start({
    edge: { DEMARC_MEDIA_TIMEOUT_SECONDS: '5', DEMARC_AGENT_LOST_ANNOUNCEMENT: chime },
  });
});
afterAll(async () => {
  await stack?.finish();
  await rm(directory, { recursive: true, force: true });
});

const stage = (): Stack => stack;
audioOfCalls(stage);
endingsOfCalls(stage);
