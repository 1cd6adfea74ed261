import { join } from 'node:path';

/** Programs of tests import from the sources, or what was built where DEMARC_TEST_DIST is set: a start takes a fifth of the processor time then. */
const isBuilt = process.env.DEMARC_TEST_DIST !== undefined;
const root = join(import.meta.dirname, '..', '..');

/** Options of Node.js for such a program. */
export const programOptions: readonly string[] = isBuilt ? [] : ['--import', 'tsx'];

/**
 * The path of a module of src/.
 * @param name without the extension, such as `base/log`
 */
export const programModule = (name: string): string =>
  isBuilt ? join(root, 'dist', `${name}.js`) : join(root, 'src', `${name}.ts`);
