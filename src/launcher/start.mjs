/** `npm start`: everything a newcomer needs, then the whole of Demarc in the foreground. */
import { handOver, prepare } from './bootstrap.mjs';
import { giveUp } from './progress.mjs';
import { systemPackages } from './system-packages.mjs';

try {
  const { redis, rtpengine, postgres } = systemPackages;
  const isPostgresGiven = (process.env.DATABASE_URL ?? '') !== '';
  await prepare(isPostgresGiven ? [redis, rtpengine] : [redis, rtpengine, postgres]);
  await handOver(['up', ...process.argv.slice(2)]);
} catch (failure) {
  giveUp(failure);
}
