import { parseCSeq } from '../../src/sip/cseq.js';
import type { SipMessage } from '../../src/sip/message.js';
import type { Arrival } from '../../src/testkit/sip-peer.js';
import type { Chance } from './chance.js';

/** One party of a story. */
export interface Participant {
  readonly story: Story;
  receive(arrival: Arrival): void;
  /** Ends each dialog that is up, as a correct user agent does. */
  hangUp(): void;
  /** A dialog that the other side never ended, a request that it never answered. */
  problems(): string[];
  /** Asks in each dialog whether the engine still has it; the result says which it has, once the responses are there. */
  probe(): () => string[];
  /** Of its messages. */
  readonly callIds: readonly string[];
}

/** Finds the party of a Call-ID, and the story of a phone number. */
export class Directory {
  private readonly parties = new Map<string, Participant>();
  private readonly stories = new Map<string, Story>();

  enter(callId: string, party: Participant): void {
    this.parties.set(callId, party);
  }

  begin(story: Story): void {
    this.stories.set(story.who, story);
  }

  end(story: Story): void {
    this.stories.delete(story.who);
    for (const [callId, party] of this.parties) if (party.story === story) this.parties.delete(callId);
  }

  party({ message }: Arrival): Participant | undefined {
    return this.parties.get(message.headers.get('Call-ID') ?? '');
  }

  /** The story that an INVITE to an agent or PBX belongs to. */
  story(message: SipMessage): Story | undefined {
    if (message.kind !== 'request') return undefined;
    const who = /1415\d{7}/.exec(`${message.uri} ${message.headers.get('From') ?? ''}`)?.[0];
    return who === undefined ? undefined : this.stories.get(who);
  }
}

/** One case: a call, what its parties decided, and what they sent and received. */
export class Story {
  /** The number that calls or is called, different in each story. */
  readonly who: string;
  readonly parties: Participant[] = [];
  readonly history: string[] = [];
  /** None of its parties ends the call. */
  readonly isAbandoned: boolean;
  /** Some of its messages are no correct SIP. */
  readonly isDistorted: boolean;
  /** The caller has its own connections, which break. */
  readonly isInterrupted: boolean;
  private readonly began = performance.now();

  constructor(
    readonly index: number,
    readonly chance: Chance,
    /** Whole messages instead of their first lines. */
    private readonly isVerbose: boolean,
  ) {
    this.who = `1415${String(2_000_000 + index).padStart(7, '0')}`;
    this.isAbandoned = chance.happens(0.12);
    this.isDistorted = chance.happens(0.3);
    this.isInterrupted = chance.happens(0.06);
  }

  note(side: string, direction: '->' | '<-', message: SipMessage | string): void {
    const at = String(Math.round(performance.now() - this.began)).padStart(5);
    const text = typeof message === 'string' ? message : summary(message);
    const shown = this.isVerbose && typeof message === 'string' ? message : text.split('\r\n', 1)[0]!;
    this.history.push(`${at} ms ${side} ${direction} ${shown}`);
  }

  /** What the parties believe after the end: each dialog is over, each request was answered. */
  problems(): string[] {
    // What was on its way when a connection broke is lost.
    if (this.isInterrupted) return [];
    return this.parties.flatMap((party) => party.problems());
  }
}

function summary(message: SipMessage): string {
  const { headers } = message;
  const cseq = parseCSeq(headers.get('CSeq') ?? '');
  const line =
    message.kind === 'request' ? `${message.method} ${message.uri}` : `${message.status} ${message.reason}`;
  const reason = headers.get('Reason');
  const body = message.body === '' ? '' : `, ${message.body.length} octets`;
  return `${line} (${cseq?.number} ${cseq?.method}, to ${headers.get('To')}${body}${reason === undefined ? '' : `, ${reason}`})`;
}
