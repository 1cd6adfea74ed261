import { afterAll, describe } from 'vitest';
import { plainBench } from './plain-bench.js';

// One file: all of them share engine, rtpengine, Redis and edge. The hooks of each run before its own tests alone.
const groups = {
  basic: () => import('./basic.js'),
  CANCEL: () => import('./cancel.js'),
  'agent group': () => import('./agent-group.js'),
  'header mapping': () => import('./header-mapping.js'),
  'requests in the dialog': () => import('./in-dialog.js'),
  'changes of the session': () => import('./modify.js'),
  'several edges': () => import('./several-edges.js'),
  'silent connections': () => import('./silent-connection.js'),
};
for (const [name, register] of Object.entries(groups)) {
  describe(name, async () => {
    await register();
  });
}

afterAll(() => plainBench.end());
