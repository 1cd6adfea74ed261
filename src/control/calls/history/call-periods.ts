/**
 * Periods of start times, the newest first. Where `calls` has a partition for each day, PostgreSQL plans for each partition that a query may
 * read, a millisecond for four of them: a query that names a period plans for its days alone, and most questions are about the newest calls.
 */
export interface Period {
  /** Inclusive. */
  readonly startedAfter: Date | undefined;
  /** Exclusive. */
  readonly startedBefore: Date | undefined;
}

const dayMilliseconds = 86_400_000;
/** Where the periods begin, in days before the newest call that may be read. */
const periodDays = [2, 8, 32] as const;

/** The periods that cover these bounds, at least one. */
export function periodsOf(
  { startedAfter, startedBefore }: { readonly [Bound in keyof Period]?: Period[Bound] } = {},
  now: number = Date.now(),
): readonly Period[] {
  const periods: Period[] = [];
  const newest = Math.min(now, startedBefore?.getTime() ?? now);
  let before = startedBefore;
  for (const days of periodDays) {
    const from = new Date(newest - days * dayMilliseconds);
    if (startedAfter !== undefined && startedAfter >= from) break;
    periods.push({ startedAfter: from, startedBefore: before });
    before = from;
  }
  return [...periods, { startedAfter, startedBefore: before }];
}

/** The periods of a page with these bounds that follows the cursor. */
export function periodsBehind(
  { startedAfter, startedBefore }: { readonly [Bound in keyof Period]?: Period[Bound] },
  cursor: { readonly startedAt: Date } | undefined,
): readonly Period[] {
  if (cursor === undefined) return periodsOf({ startedAfter, startedBefore });
  // The page may continue with other calls of the same millisecond.
  const behind = cursor.startedAt.getTime() + 1;
  return periodsOf({
    startedAfter,
    startedBefore: new Date(Math.min(behind, startedBefore?.getTime() ?? behind)),
  });
}

/** Reads period after period until there are as many rows as wanted. */
export async function readPeriods<Row>(
  periods: readonly Period[],
  limit: number,
  read: (period: Period, limit: number) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const period of periods) {
    rows.push(...(await read(period, limit - rows.length)));
    if (rows.length >= limit) break;
  }
  return rows;
}

/** The first that is found, in the newest calls before the others. @param startedAfter since when it can be at all */
export async function findInPeriods<Row>(
  find: (period: Period) => Promise<Row | undefined>,
  { startedAfter, now }: { readonly startedAfter?: Date | undefined; readonly now?: number } = {},
): Promise<Row | undefined> {
  const [row] = await readPeriods(periodsOf({ startedAfter }, now), 1, async (period) => {
    const found = await find(period);
    return found === undefined ? [] : [found];
  });
  return row;
}
