/**
 * Where offer and answer of a session are (RFC 3264 §4).
 * - `idle`: no offer was made, or the only one was withdrawn
 * - `offered`: the first offer waits for its answer
 * - `agreed`: an answer was accepted; the exchange is in force
 * - `modifying`: a further offer waits for its answer; the agreed exchange is still in force (RFC 3264 §8)
 * - `released`: the session is deleted at rtpengine
 *
 * Hold, announcements and digits run beside these: `SessionAudio`.
 */
export type SessionPhase = 'idle' | 'offered' | 'agreed' | 'modifying' | 'released';

export const sessionPhases = [
  'idle',
  'offered',
  'agreed',
  'modifying',
  'released',
] as const satisfies readonly SessionPhase[];

/** From which phases a session may enter each. */
export const predecessors: Readonly<Record<SessionPhase, readonly SessionPhase[]>> = {
  idle: ['offered'],
  // From `offered`: a further server of the trunk gets the offer in place of one that has failed.
  offered: ['idle', 'offered'],
  // From `agreed`: a later answer to the same offer, such as a 200 after early media (RFC 3261 §13.2.1).
  agreed: ['offered', 'agreed', 'modifying'],
  modifying: ['agreed', 'modifying'],
  released: ['idle', 'offered', 'agreed', 'modifying'],
};

/** An event that the session's state does not allow: a programming error, never the peer's. */
export class SessionStateError extends Error {
  constructor(
    readonly of: 'session' | 'audio',
    readonly from: string,
    readonly to: string,
  ) {
    super(
      `The ${of === 'audio' ? 'hold state' : 'phase'} of a media session cannot go from ${from} to ${to}.`,
    );
    this.name = 'SessionStateError';
  }
}

/** The phase of a session with its exchanges: at most one is in force, and at most one is pending. Does no I/O. */
export class SessionState<Exchange> {
  private current: SessionPhase = 'idle';
  private inForce: Exchange | undefined;
  private open: Exchange | undefined;

  get phase(): SessionPhase {
    return this.current;
  }

  get isReleased(): boolean {
    return this.current === 'released';
  }

  /** The exchange in force; it stays readable after the release. */
  get agreed(): Exchange | undefined {
    return this.inForce;
  }

  /** The exchange whose offer has no answer yet. */
  get pending(): Exchange | undefined {
    return this.open;
  }

  /** The exchange that an answer belongs to. */
  get answerable(): Exchange | undefined {
    return this.open ?? this.inForce;
  }

  /** An offer was made. Ignored after the release, which does not wait for rtpengine's reply to an offer. */
  offer(exchange: Exchange): void {
    if (this.isReleased) return;
    this.become(this.inForce === undefined ? 'offered' : 'modifying');
    this.open = exchange;
  }

  /** An answer was accepted: its exchange replaces the one in force. Ignored after the release, as `offer`. */
  agree(exchange: Exchange): void {
    if (this.isReleased) return;
    this.become('agreed');
    this.inForce = exchange;
    this.open = undefined;
  }

  /** The pending offer was refused: the session is as before it (RFC 3261 §14.1). False: no offer was pending. */
  withdraw(): boolean {
    if (this.open === undefined || this.isReleased) return false;
    this.become(this.inForce === undefined ? 'idle' : 'agreed');
    this.open = undefined;
    return true;
  }

  /** False: it was released before. */
  release(): boolean {
    if (this.isReleased) return false;
    this.become('released');
    return true;
  }

  private become(phase: SessionPhase): void {
    if (!predecessors[phase].includes(this.current))
      throw new SessionStateError('session', this.current, phase);
    this.current = phase;
  }
}
