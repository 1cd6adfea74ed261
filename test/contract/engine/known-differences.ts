export interface KnownDifference {
  /** What drachtio-server does instead, in one sentence. */
  readonly difference: string;
  /** The row is not run there, because the server process would not survive it. */
  readonly endsTheServer?: boolean;
}

/** Rows that drachtio-server v0.9.10 fails, by row of the checklist. A row listed here that passes there is reported. */
export const knownDifferences: Readonly<Record<string, KnownDifference>> = {};
