/** The read position of a stream, updated in the transaction that stores the entries, so that each counts once. */
export interface StreamPositionsTable {
  stream: string;
  entry_id: string;
}

declare module '../database/tables.js' {
  interface Database {
    stream_positions: StreamPositionsTable;
  }
}
