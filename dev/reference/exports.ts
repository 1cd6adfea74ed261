import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The declarations of what the package exports, as the build made them: one file each, with what it names of others. */
const entries = {
  'demarc/engine': 'engine/index.d.ts',
  'demarc/sip': 'sip/index.d.ts',
  'demarc/testkit': 'testkit/index.d.ts',
} as const;

/**
 * The names that the package promises. A name that goes, or a new one, is a change of its interface and shows in the review.
 * @param dist the folder of the build
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
