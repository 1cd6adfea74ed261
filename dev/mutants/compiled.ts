/** A change of one file. */
interface Change {
  readonly path: string;
}

/** The mutants in as few groups as have no two of one file, so that an error of the compiler says whose it is. */
export function groupsOf<Mutant extends Change>(mutants: readonly Mutant[]): Mutant[][] {
  const groups: Mutant[][] = [];
  for (const mutant of mutants) {
    const group = groups.find((each) => each.every(({ path }) => path !== mutant.path));
    if (group === undefined) groups.push([mutant]);
    else group.push(mutant);
  }
  return groups;
}

/** The files in which the compiler found errors. @param output of `tsc` */
export const filesWithErrors = (output: string): ReadonlySet<string> =>
  new Set([...output.matchAll(/^(\S+)\(\d+,\d+\): error TS\d+:/gm)].map(([, path]) => path!));
