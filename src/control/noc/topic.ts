import { randomBytes } from 'node:crypto';
import { explainEndReason } from '../../contract/explanations.js';
import type { LiveEvent, Notice } from '../../contract/live.js';
import type { SightingView } from '../sightings/index.js';
import { viewOfCall } from './live-list.js';
import type { Audience, Summaries } from './summaries.js';
import type { CallEvent, LiveCalls, NocSummary, TrunkSummary } from './view.js';

/** One message of an event stream, as it is written. */
export interface StreamMessage {
  readonly id: string;
  readonly text: string;
}

/** Messages kept for reconnecting subscribers: about a minute of a busy fleet. */
const maximumKept = 500;
const maximumKeptLength = 2_000_000;

export const messageText = (id: string | undefined, event: string, data: unknown): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The messages of one audience. All its subscribers get the same ones, made once; the last ones are kept for those who lost
 * their connection for a moment.
 */
export class Topic {
  readonly listeners = new Set<(message: StreamMessage) => void>();
  /** Ids are of this process's topic: those of another one are not known here. */
  private readonly name = randomBytes(6).toString('hex');
  private kept: StreamMessage[] = [];
  private keptLength = 0;
  private lastNumber = 0;
  private summary: NocSummary | undefined;
  private trunks: ReadonlyMap<string, TrunkSummary['status']> | undefined;
  /** What waits for a snapshot that is being made. */
  private held: [event: string, data: unknown][] | undefined;
  private refreshing: Promise<void> | undefined;
  private renewing: Promise<void> = Promise.resolve();

  constructor(
    readonly audience: Audience,
    private readonly summaries: Summaries,
  ) {}

  /** The messages after that one; undefined when it is not known which those are. */
  after(id: string): readonly StreamMessage[] | undefined {
    const index = this.kept.findIndex((message) => message.id === id);
    if (index >= 0) return this.kept.slice(index + 1);
    return id === this.idOf(this.lastNumber) ? [] : undefined;
  }

  /** Everything as of now, for one who knows nothing. Messages that come meanwhile may repeat what it says. */
  async snapshot(): Promise<StreamMessage> {
    const id = this.idOf(this.lastNumber);
    const [summary, live] = await Promise.all([
      this.summaries.of(this.audience),
      this.summaries.liveCalls(this.audience).catch(() => nothingKnown()),
    ]);
    // What it says may differ from what was compared last: the next comparison tells everything.
    this.summary = undefined;
    return { id, text: messageText(id, 'snapshot', { summary, live }) };
  }

  /** Sends a new snapshot, because events were missed. One after the other: each holds back what happens meanwhile. */
  sendSnapshot(): Promise<void> {
    this.renewing = this.renewing.catch(() => {}).then(() => this.renew());
    return this.renewing;
  }

  private async renew(): Promise<void> {
    this.forget();
    if (this.listeners.size === 0) return;
    // What happens meanwhile comes after it: the other way round, older news would replace newer.
    this.held = [];
    try {
      const { text } = await this.snapshot();
      const id = this.idOf(++this.lastNumber);
      this.send({ id, text: text.replace(/^id: .*\n/, `id: ${id}\n`) });
    } finally {
      const held = this.held;
      this.held = undefined;
      for (const [event, data] of held) this.push(event, data);
    }
  }

  /** Reconnecting clients start with a new snapshot. */
  private forget(): void {
    this.kept = [];
    this.keptLength = 0;
    this.lastNumber++;
  }

  /** A change of a call, if it is this audience's. */
  call(event: LiveEvent, edgeId: string): void {
    const { organizationId, scope, isOperator } = this.audience;
    if (scope !== 'fleet' && event.call.organization !== organizationId) return;
    const { end } = event;
    const data: CallEvent = {
      change: event.change,
      call: viewOfCall({ call: event.call, edgeId }, isOperator),
      end: end === null ? null : { ...end, ...explainEndReason(end.end_reason, end.sip_status) },
    };
    this.push('call', data);
  }

  notice({ organization, event, data }: Notice): void {
    if (organization === this.audience.organizationId) this.push(event, data);
  }

  /** What arrived from the organization's PBX. */
  sighting(view: SightingView): void {
    this.push('sighting', view);
  }

  /** Sends what changed in the overview. Never rejects. */
  refresh(): Promise<void> {
    this.refreshing ??= this.compareAll()
      .catch(() => {})
      .finally(() => {
        this.refreshing = undefined;
      });
    return this.refreshing;
  }

  private async compareAll(): Promise<void> {
    const { summaries, audience } = this;
    // Both wait for PostgreSQL while it is slow.
    const [summary, overview] = await Promise.all([
      summaries.of(audience),
      summaries.trunksOf(audience.organizationId),
    ]);
    this.compare(summary);
    this.compareTrunks(overview?.trunks);
  }

  private compare(summary: NocSummary): void {
    const before = this.summary;
    this.summary = summary;
    const changed = Object.entries(summary).filter(
      ([key, value]) =>
        key !== 'at' && JSON.stringify(value) !== JSON.stringify(before?.[key as keyof NocSummary]),
    );
    if (changed.length > 0) this.push('summary', { at: summary.at, ...Object.fromEntries(changed) });
  }

  private compareTrunks(trunks: readonly TrunkSummary[] | undefined): void {
    if (trunks === undefined) return;
    const before = this.trunks;
    this.trunks = new Map(trunks.map(({ phone_number, status }) => [phone_number, status]));
    if (before === undefined) return;
    for (const trunk of trunks) {
      const was = before.get(trunk.phone_number);
      if (was !== undefined && was !== trunk.status) this.push('trunk', { ...trunk, was });
    }
  }

  private push(event: string, data: unknown): void {
    if (this.held !== undefined) {
      this.held.push([event, data]);
      return;
    }
    const id = this.idOf(++this.lastNumber);
    this.send({ id, text: messageText(id, event, data) });
  }

  private send(message: StreamMessage): void {
    this.kept.push(message);
    this.keptLength += message.text.length;
    while (this.kept.length > maximumKept || (this.keptLength > maximumKeptLength && this.kept.length > 1)) {
      this.keptLength -= this.kept.shift()!.text.length;
    }
    for (const listener of this.listeners) listener(message);
  }

  private idOf(number: number): string {
    return `${this.name}-${number}`;
  }
}

const nothingKnown = (): LiveCalls => ({
  calls: [],
  unlisted: [],
  total: 0,
  truncated: false,
  at: new Date().toISOString(),
});
