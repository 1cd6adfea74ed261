import {
  mostSampleOctets,
  type QualitySamples,
  qualitySources,
  type SampleRow,
  sampleSeconds,
} from '../../contract/quality.js';
import type { MediaSide } from '../media/rtp-statistics.js';

type Rows = Readonly<Record<MediaSide, SampleRow>>;

/** Beyond these the octets are counted; fewer always fit. */
const certainRows = 24;

/** The samples of one call, bounded in octets: when there are too many, pairs of intervals are joined. */
export class BoundedSamples {
  private everySeconds = sampleSeconds;
  private rows: Record<MediaSide, SampleRow[]> = { trunk: [], agent: [] };

  static restored({ every_seconds, trunk, agent }: QualitySamples): BoundedSamples {
    const samples = new BoundedSamples();
    samples.everySeconds = every_seconds;
    samples.rows = { trunk: [...trunk], agent: [...agent] };
    return samples;
  }

  add({ trunk, agent }: Rows): void {
    this.rows.trunk.push(trunk);
    this.rows.agent.push(agent);
    if (this.everySeconds > sampleSeconds) this.join();
    while (this.rows.trunk.length > certainRows && this.octets > mostSampleOctets) {
      this.everySeconds *= 2;
      this.join();
    }
  }

  /** Undefined: there are none. */
  get all(): QualitySamples | undefined {
    const { trunk, agent } = this.rows;
    if (trunk.length === 0) return undefined;
    return { every_seconds: this.everySeconds, trunk: [...trunk], agent: [...agent] };
  }

  private get octets(): number {
    return JSON.stringify(this.all).length;
  }

  private join(): void {
    for (const side of ['trunk', 'agent'] as const)
      this.rows[side] = joined(this.rows[side], this.everySeconds);
  }
}

/** Rows that end within the same interval become one. */
function joined(rows: readonly SampleRow[], seconds: number): SampleRow[] {
  const kept: SampleRow[] = [];
  for (const row of rows) {
    const before = kept.at(-1);
    const isSame = before !== undefined && intervalOf(before, seconds) === intervalOf(row, seconds);
    if (isSame) kept[kept.length - 1] = worstOf(before, row);
    else kept.push(row);
  }
  return kept;
}

const intervalOf = ([at]: SampleRow, seconds: number): number => Math.ceil(at / seconds);

/** The later end, of each figure the worse one, and the less exact source. */
function worstOf(first: SampleRow, second: SampleRow): SampleRow {
  const [, ...firstValues] = first;
  const [at, ...secondValues] = second;
  const sources = [first[6], second[6]];
  const worse = (index: 0 | 1 | 2 | 3 | 4, choose: (...values: number[]) => number): number | null => {
    const values = [firstValues[index], secondValues[index]].filter((value) => value !== null);
    return values.length === 0 ? null : choose(...values);
  };
  const row: SampleRow = [
    at,
    worse(0, Math.min),
    worse(1, Math.max),
    worse(2, Math.max),
    worse(3, Math.max),
    worse(4, Math.min),
  ];
  const source = qualitySources.findLast((each) => sources.includes(each));
  if (source !== undefined) row[6] = source;
  return row;
}
