/** `npm run build`: programs and dashboard, each where something of its own has changed. */
import { root } from './bootstrap.mjs';
import { ensureBuild } from './build.mjs';
import { giveUp } from './progress.mjs';

try {
  await ensureBuild(root);
} catch (failure) {
  giveUp(failure);
}
