import { readFileSync } from 'node:fs';

/** The package's, which stands two folders above both src/config and dist/config. */
export const version = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
