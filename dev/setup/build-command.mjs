/** `npm run build`: builds programs and dashboard, each only if its sources have changed. */
import { root } from './bootstrap.mjs';
import { ensureBuild } from './build.mjs';
import { giveUp } from './progress.mjs';

try {
  await ensureBuild(root);
} catch (failure) {
  giveUp(failure);
}
