import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The declarations of the package's exports, as built: one file each, with the files it references. */
const entries = {
  'demarc/engine': 'engine/index.d.ts',
  'demarc/bot': 'bot/index.d.ts',
  'demarc/sip': 'sip/index.d.ts',
  'demarc/testkit': 'testkit/index.d.ts',
} as const;

/**
 * The public names of the package. A removed or added name changes its interface and shows in the review.
 * @param dist output folder of the build
 */
export function exportedNames(dist: string): string {
  return Object.entries(entries)
    .map(([entry, file]) => {
      const declarations = readFileSync(join(dist, file), 'utf8');
      const names = [...declarations.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, type, list]) =>
        list!
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '')
          .map((name) => `${type ?? ''}${name}`),
      );
      return [entry, ...names.sort().map((name) => `  ${name}`)].join('\n');
    })
    .join('\n\n')
    .concat('\n');
}
