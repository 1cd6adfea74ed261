/** What a program may need to run at all: where programs and libraries are, language, time zone, proxies of Node itself. */
const systemNames: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'RES_OPTIONS',
  'LOCALDOMAIN',
  'UV_THREADPOOL_SIZE',
]);

const isOfTheSystem = (name: string): boolean => systemNames.has(name) || /^(LC|NODE)_/.test(name);

/**
 * The environment of a child that gets only what it needs: the system's own variables, and `own`. Our settings hold passwords and
 * keys, which an exposed process must not have in its memory or in `/proc/PID/environ`.
 */
export function childEnvironment(
  environment: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string | undefined>> = {},
): NodeJS.ProcessEnv {
  const system = Object.entries(environment).filter(([name]) => isOfTheSystem(name));
  return { ...Object.fromEntries(system), ...own };
}
