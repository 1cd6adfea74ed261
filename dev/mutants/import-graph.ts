import { importsOf } from '../gate/folder-ranks.mjs';

/** What reaches a file by imports, found in the texts: vitest would transform every test file to answer the same for one file. */
export class ImportGraph {
  private readonly importers = new Map<string, Set<string>>();

  /** @param texts by path from the root of the repository */
  constructor(texts: ReadonlyMap<string, string>) {
    for (const [path, text] of texts)
      for (const name of importsOf(path, text)) {
        const target = [name, name.replace(/\.js$/, '.ts'), name.replace(/\.js$/, '.tsx')].find((each) =>
          texts.has(each),
        );
        if (target === undefined) continue;
        const importers = this.importers.get(target) ?? new Set();
        this.importers.set(target, importers.add(path));
      }
  }

  /** The files that import a file, directly or through others. */
  reaching(path: string): ReadonlySet<string> {
    const found = new Set<string>();
    const open = [path];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const importer of this.importers.get(next) ?? [])
        if (!found.has(importer)) {
          found.add(importer);
          open.push(importer);
        }
    return found;
  }
}
