/** One page of a list. */
interface Page {
  readonly data?: unknown;
  readonly next: string | null;
}

/** What a list has entries of: the list itself, or the one array within its `data`. */
export type EntryOf<Data> = Data extends readonly (infer Entry)[]
  ? Entry
  : { [Name in keyof Data]: Data[Name] extends readonly (infer Entry)[] ? Entry : never }[keyof Data];

/** Most lists are in `data`; that of `listCalls` is in the answer itself. */
type ListOf<Answer> = Answer extends { readonly data: infer Data } ? Data : Answer;

/**
 * All entries of a list, page after page:
 * `for await (const call of entries((after) => demarc.listCallRecords({ direction: 'inbound', after }))) …`
 */
export async function* entries<Answer extends Page>(
  read: (after: string | undefined) => Promise<Answer>,
): AsyncGenerator<EntryOf<ListOf<Answer>>> {
  for (let after: string | undefined; ; ) {
    const page = await read(after);
    yield* entriesOf(page.data ?? page) as EntryOf<ListOf<Answer>>[];
    if (page.next === null) return;
    after = page.next;
  }
}

function entriesOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return data;
  return Object.values(data as object).find((value) => Array.isArray(value)) ?? [];
}
