/**
 * Calls of tests by voice: what control and the process that speaks and listens for it (`demarc test-caller`) say to each other
 * over their IPC channel. Audio is 16-bit linear at 8000 Hz. Times are milliseconds since the answer.
 */

/** A stretch of speech. */
export interface SpeechStretch {
  readonly from: number;
  readonly to: number;
}

/** From a moment of the recording on, the agent is so much later in it than in all other times. */
export interface RecordingDelay {
  readonly from: number;
  readonly by: number;
}

/** A line of the caller as it was spoken. */
export interface SpokenLine extends SpeechStretch {
  /** Number that control gave it. */
  readonly line: number;
  /** The call ended before the line did. */
  readonly isCut: boolean;
}

export interface VoicePackets {
  readonly received: number;
  readonly lost: number;
  /** Came after they were due. */
  readonly late: number;
  readonly sent: number;
  /** Highest interarrival jitter (RFC 3550 §6.4.1). */
  readonly jitter_ms: number;
  /** The longest pause that a stall of the caller's process cut into one of its lines: an agent may take it for the end of the line. */
  readonly stalled_ms: number;
}

/** Of a call without audio. */
export const noPackets: VoicePackets = {
  received: 0,
  lost: 0,
  late: 0,
  sent: 0,
  jitter_ms: 0,
  stalled_ms: 0,
};

export type VoiceCallEnd =
  /** BYE of the agent; of us; the time limit of the call. */
  | 'agent'
  | 'caller'
  | 'limit'
  /** Before the answer: a final response; our time for the answer passed. */
  | 'refused'
  | 'no_answer'
  /** The call was not what a caller hears: connection lost, description not usable, our own fault. */
  | 'failed';

/** What happened in one call. */
export interface VoiceCallReport {
  readonly ended_by: VoiceCallEnd;
  /** For people: why it was refused or failed. */
  readonly detail: string | null;
  /** Of the caller's leg; the edge's record of the call names it. */
  readonly sip_call_id: string;
  readonly sip_status: number | null;
  readonly sip_reason: string | null;
  /** `EndReason` with which the edge itself refused the call; null: it did not. */
  readonly edge_refusal: string | null;
  /** ISO 8601; null: not answered. */
  readonly answered_at: string | null;
  /** From the answer to the end; 0 if not answered. */
  readonly duration_ms: number;
  readonly codec: 'PCMU' | 'PCMA' | null;
  readonly caller: readonly SpokenLine[];
  readonly agent: readonly SpeechStretch[];
  /** The agent's turns in the order in which they were reported: packets that came later may have corrected their times. */
  readonly turns: readonly SpeechStretch[];
  readonly recording_delays: readonly RecordingDelay[];
  readonly packets: VoicePackets;
}

/** Where the edge takes the call. */
export interface VoiceCallTarget {
  readonly protocol: 'tls' | 'tcp';
  readonly host: string;
  readonly port: number;
}

/** How the caller sounds, and what its line does to its audio. */
export interface LineConditions {
  readonly gainDecibels: number;
  /** Null: none. Its level is in dBov. */
  readonly noise: { readonly kind: 'babble' | 'street' | 'office'; readonly levelDecibels: number } | null;
  /** Of the packets, 0–1. */
  readonly lossShare: number;
  /** Each packet is delayed by up to so much. */
  readonly jitterMilliseconds: number;
  readonly seed: number;
}

export type ToTestCaller =
  | {
      readonly type: 'call';
      readonly id: string;
      readonly target: VoiceCallTarget;
      /** E.164 digits; the caller's is null for an anonymous one. */
      readonly number: string;
      readonly callerNumber: string | null;
      /** Of the Request-URI, with their semicolons. */
      readonly uriParameters: string;
      readonly sipCallId: string;
      /** Secret ones among them. */
      readonly headers: Readonly<Record<string, string>>;
      readonly answerMilliseconds: number;
      readonly maximumMilliseconds: number;
      /** Silence after which the agent's turn is over. */
      readonly endOfTurnMilliseconds: number;
      readonly isRecorded: boolean;
      /** Absent: the audio goes as it was spoken. */
      readonly conditions?: LineConditions | undefined;
    }
  | {
      readonly type: 'say';
      readonly id: string;
      readonly line: number;
      readonly audio: Uint8Array;
      /** Interrupts the agent's next speech so long after its beginning; null: at once. */
      readonly bargeInMilliseconds: number | null;
    }
  /** Presses keys (RFC 4733); `w` waits a second. Reported as a line. */
  | { readonly type: 'press'; readonly id: string; readonly line: number; readonly digits: string }
  /** Holds the call, or resumes it. */
  | { readonly type: 'hold'; readonly id: string; readonly isHeld: boolean }
  | { readonly type: 'hangUp'; readonly id: string };

export type FromTestCaller =
  | { readonly type: 'ready' }
  | { readonly type: 'answered'; readonly id: string }
  /** The agent begins to speak. */
  | { readonly type: 'began'; readonly id: string; readonly at: number }
  /** The agent's turn is over, as far as is known by now. */
  | {
      readonly type: 'turn';
      readonly id: string;
      readonly stretch: SpeechStretch;
      readonly audio: Uint8Array;
    }
  | { readonly type: 'said'; readonly id: string; readonly line: SpokenLine }
  /** The agent's side has accepted the hold, or the end of it. */
  | { readonly type: 'held'; readonly id: string; readonly isHeld: boolean }
  /** The next part of the recording: interleaved G.711 μ-law, the caller left, the agent right. */
  | { readonly type: 'recorded'; readonly id: string; readonly octets: Uint8Array }
  | { readonly type: 'ended'; readonly id: string; readonly report: VoiceCallReport };
