/** `npm start`: installs and builds what is missing, then runs Demarc with the demo agent in the foreground. */
import { handOver, prepare, programs } from './bootstrap.mjs';
import { giveUp } from './progress.mjs';
import { systemPackages } from './system-packages.mjs';

try {
  const { redis, rtpengine, postgres, espeak, flite } = systemPackages;
  const isPostgresGiven = (process.env.DATABASE_URL ?? '') !== '';
  await prepare([redis, rtpengine, ...(isPostgresGiven ? [] : [postgres]), espeak, flite]);
  await handOver(programs.demarc, ['up', '--demo-agent', programs.agent, ...process.argv.slice(2)]);
} catch (failure) {
  giveUp(failure);
}
