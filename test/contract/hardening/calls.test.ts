import { afterAll, describe } from 'vitest';
import { usualStage } from './usual-stage.js';

// One file: all of them share engine, rtpengine, Redis and edge. The hooks of each run before its own tests alone. The last one kills the edge.
const groups = {
  dialogs: () => import('./dialogs.js'),
  injection: () => import('./injection.js'),
  'loss on the way to rtpengine': () => import('./rtpengine-loss.js'),
  'killed edges': () => import('./killed-edge.js'),
};
for (const [name, register] of Object.entries(groups)) {
  describe(name, async () => {
    await register();
  });
}

afterAll(() => usualStage.end());
