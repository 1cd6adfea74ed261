import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callProcessOptions } from '../../../src/base/garbage-collection.js';

const root = join(import.meta.dirname, '..', '..', '..');

it.each([
  ['docker-compose.yml', 2],
  ['docker/engine.sh', 1],
  ['deploy/kubernetes/base/edge.yaml', 2],
  ['deploy/kubernetes/base/media-stream.yaml', 1],
  ['docs/production.md', 2],
  ['dev/bench/idle-tls.mjs', 1],
])('%s starts processes of calls with the options of `npm start`', (file, count) => {
  const words = readFileSync(join(root, file), 'utf8').replaceAll(/["',\s]+/g, ' ');
  expect(words.split(` ${callProcessOptions.join(' ')} `)).toHaveLength(count + 1);
  expect(words.match(/--max-semi-space-size/g)).toHaveLength(count);
});
