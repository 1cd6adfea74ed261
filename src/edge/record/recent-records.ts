/** A replica that is promoted lacks at most about a second of what its primary had. */
const keptMilliseconds = 5_000;
/** At 10 KB a record, those of five seconds with 160 calls each. */
const keptOctets = 8 * 1_024 * 1_024;

/** The records that Redis has acknowledged lately: a server that takes its place may lack them. */
export class RecentRecords {
  private batches: { readonly at: number; readonly records: readonly string[]; readonly octets: number }[] =
    [];
  private octets = 0;
  /** `run_id` of the server that has them. */
  private server: string | undefined;

  constructor(private readonly now: () => number = () => performance.now()) {}

  written(records: readonly string[]): void {
    const octets = records.reduce((sum, { length }) => sum + length, 0);
    this.batches.push({ at: this.now(), records, octets });
    this.octets += octets;
    const before = this.now() - keptMilliseconds;
    while (this.batches.length > 0 && (this.batches[0]!.at < before || this.octets > keptOctets))
      this.octets -= this.batches.shift()!.octets;
  }

  /** What a connection's server may lack; nothing where it is the one before. @param info its INFO of `server` */
  missingAt(info: string): readonly string[] {
    const [, server] = /^run_id:(\w+)/m.exec(info) ?? [];
    const isSame = this.server === undefined || this.server === server;
    this.server = server;
    if (isSame) return [];
    const missing = this.batches.flatMap(({ records }) => records);
    this.batches = [];
    this.octets = 0;
    return missing;
  }
}
