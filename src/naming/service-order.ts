/** RFC 2782: a random order in which a record comes earlier the greater its share of the weights. */
export function orderByWeight<T extends { readonly weight: number }>(
  records: readonly T[],
  random: () => number,
): T[] {
  // Weight 0 goes first, so that it keeps a small chance.
  const left = [...records].sort((a, b) => Number(a.weight > 0) - Number(b.weight > 0));
  const ordered: T[] = [];
  while (left.length > 0) {
    const total = left.reduce((sum, record) => sum + record.weight, 0);
    let remaining = Math.floor(random() * (total + 1));
    let index = left.findIndex((record) => {
      remaining -= record.weight;
      return remaining <= 0;
    });
    if (index < 0) index = left.length - 1;
    ordered.push(...left.splice(index, 1));
  }
  return ordered;
}
