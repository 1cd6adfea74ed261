import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folder for downloads of the tests, which all clones on this machine share. */
export function cacheFolder() {
  const { DEMARC_TEST_CACHE: own, XDG_CACHE_HOME: users } = process.env;
  if (own) return own;
  return join(users || join(homedir(), '.cache'), 'demarc-test');
}
