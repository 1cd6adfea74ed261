import { existsSync } from 'node:fs';

/** Of util-linux, which every Debian has. */
const setpriv = '/usr/bin/setpriv';
const hasSetpriv = existsSync(setpriv);

/**
 * The same command, which gets that signal when this process ends, however that happens (PR_SET_PDEATHSIG); setpriv(1) becomes it. Where
 * there is no setpriv the command is returned unchanged.
 */
export const endingWithUs = (
  command: string,
  argv: readonly string[],
  signal: 'TERM' | 'KILL' = 'TERM',
): [string, readonly string[]] =>
  hasSetpriv ? [setpriv, ['--pdeathsig', signal, command, ...argv]] : [command, argv];
