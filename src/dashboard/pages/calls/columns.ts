/** Headings of the columns that a user may choose, in their order in the list. */
export const columnHeadings = {
  from: 'From',
  to: 'To',
  number: 'My number',
  setup: 'Time to answer',
  talked: 'Talked',
  mos: 'MOS',
  direction: 'Direction',
  end_reason: 'Ended',
  ended_by: 'Ended by',
  ended_at: 'Ended at',
  sip_code: 'SIP status',
  address: 'Address',
  sip_call_id: 'Call-ID',
} as const;

export type ColumnName = keyof typeof columnHeadings;

export const columnNames = Object.keys(columnHeadings) as readonly ColumnName[];
export const defaultColumns: readonly ColumnName[] = [
  'from',
  'to',
  'talked',
  'mos',
  'direction',
  'end_reason',
];

/** What a browser has stored, in the order of the list; another version may know other columns. */
export function readColumns(text: string | null): readonly ColumnName[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    // Only a hand edit leaves such a text.
    return defaultColumns;
  }
  if (!Array.isArray(stored)) return defaultColumns;
  const known = columnNames.filter((name) => stored.includes(name));
  return known.length === 0 && stored.length > 0 ? defaultColumns : known;
}

/** With or without one of the columns, in the order of the list. */
export const withColumn = (
  shown: readonly ColumnName[],
  changed: ColumnName,
  isShown: boolean,
): readonly ColumnName[] => columnNames.filter((name) => (name === changed ? isShown : shown.includes(name)));
