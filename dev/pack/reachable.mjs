import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const imports = /(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n\\ ]+)\1/g;

/**
 * The built files that some entries need, and the packages that these import.
 * @param {readonly string[]} entries paths of `.js` or `.d.ts` files
 * @returns {{ files: string[], packages: string[] }} sorted
 */
export function reachable(entries) {
  /** @type {Set<string>} */
  const files = new Set();
  /** @type {Set<string>} */
  const packages = new Set();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    for (const [, , name = ''] of readFileSync(path, 'utf8').matchAll(imports)) {
      if (name.startsWith('.')) waiting.push(...targets(path, name).filter((target) => !files.has(target)));
      else if (!name.startsWith('node:') && isPackage(name)) packages.add(packageOf(name));
    }
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

/**
 * @param {string} from
 * @param {string} name of an import, relative
 */
function targets(from, name) {
  const path = join(dirname(from), name);
  const declared = from.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path;
  return existsSync(declared) ? [declared] : [];
}

/** Texts of messages can look like imports. @param {string} name */
const isPackage = (name) => /^(?:@[a-z0-9-]+\/)?[a-z0-9][a-z0-9.-]*(?:\/[\w./-]+)?$/.test(name);

/** @param {string} name */
function packageOf(name) {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
