import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folder for test downloads, shared by all clones on this machine. */
export function cacheFolder() {
  const { DEMARC_TEST_CACHE: own, XDG_CACHE_HOME: users } = process.env;
  if (own) return own;
  return join(users || join(homedir(), '.cache'), 'demarc-test');
}
