import { afterAll, describe } from 'vitest';
import { sharedEdges } from './two-edges.js';

// One file: all of them share engine, rtpengine, Redis and two edges. The hooks of each run before its own tests alone.
const groups = {
  REFER: () => import('./refer.js'),
  'attended transfer': () => import('./attended.js'),
  'lost edge': () => import('./lost-edge.js'),
};
for (const [name, register] of Object.entries(groups)) {
  describe(name, async () => {
    await register();
  });
}

afterAll(() => sharedEdges.end());
