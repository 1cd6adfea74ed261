import { EventEmitter } from 'node:events';
import pino from 'pino';
import type { CallRecord } from '../../src/contract/call-record.js';
import type { CallDeps } from '../../src/edge/call/call.js';
import type { CallStateError } from '../../src/edge/call/call-phase.js';
import { RequestGate } from '../../src/edge/call/request-gate.js';
import type { Dialog, ReceivedRequest, ResponseSender } from '../../src/edge/sip/messages.js';
import { EngineLinkDouble } from './engine-link-double.js';
import { headerFields } from './header-fields.js';

/** What a call works with, where nothing is on the wire: notes what it would do. */
export class CallDoubles {
  readonly errors: CallStateError[] = [];
  readonly answered: string[] = [];
  readonly records: CallRecord[] = [];
  /** Call-IDs whose messages belong to no record. */
  readonly forgotten: string[] = [];
  readonly engine = new EngineLinkDouble();
  readonly gate = new RequestGate();
  readonly sending = this.engine.sending;
  readonly deps = {
    settings: {
      edgeId: 'e1',
      call: {
        maximumDurationSeconds: 3_600,
        sessionExpiresSeconds: 1_800,
        reliableProvisionals: 'never',
        agentResponseSeconds: 5,
        agentAnswerSeconds: 60,
        ringSeconds: 60,
      },
      drain: { retryAfterSeconds: 5 },
    },
    engine: this.engine,
    gate: this.gate,
    watch: { watch: () => () => {} },
    nodes: { watch: () => () => {} },
    quality: { counted: () => {}, looked: () => {}, stop: () => {} },
    turns: { looked: () => {}, stop: async () => {} },
    traces: {
      copy: () => Buffer.alloc(0),
      expect: () => {},
      forget: (sipCallId: string) => this.forgotten.push(sipCallId),
      take: async () => ({ entries: [], truncated: false }),
      recorded: () => {},
    },
    stream: { publish: (record: CallRecord) => this.records.push(record) },
    secrets: { hasKey: false },
    metrics: {
      callAnswered: ({ id }: { id: string }) => this.answered.push(id),
      callRefused: () => {},
      callEnded: () => {},
      transferEnded: () => {},
      mediaMoved: () => {},
    },
    illegalState: (error: CallStateError) => this.errors.push(error),
    log: pino({ level: 'silent' }),
  } as unknown as CallDeps;
}

const messageDouble = (headers: Readonly<Record<string, string>>) => ({
  ...headerFields(headers),
  uri: 'sip:peer@192.0.2.2',
  source_address: '192.0.2.2',
  source_port: 5060,
  protocol: 'udp',
});

/** A dialog whose peer is the test. */
export class DialogDouble extends EventEmitter {
  connected = true;
  readonly byes: object[] = [];
  readonly sip = { callId: 'sip-1', localTag: 'ours', remoteTag: 'theirs' };
  readonly type = 'uac';
  readonly local = { sdp: undefined, contact: '<sip:demarc@192.0.2.1>', uri: 'sip:peer@192.0.2.2' };
  readonly remote = { sdp: undefined, uri: 'sip:peer@192.0.2.2' };
  readonly req = messageDouble({ From: '<sip:us@192.0.2.1>;tag=ours', CSeq: '7 INVITE' });
  readonly res = messageDouble({ To: '<sip:peer@192.0.2.2>;tag=theirs', Allow: 'INVITE, BYE' });

  constructor(readonly id = 'dialog-1') {
    super();
  }

  destroy(options: object, done: (error: unknown) => void): void {
    this.connected = false;
    this.byes.push(options);
    done(null);
  }

  get asDialog(): Dialog {
    return this as unknown as Dialog;
  }
}

/** A received INVITE, with what was sent in answer to it. */
export function invitation(): { request: ReceivedRequest; response: ResponseSender; statuses: number[] } {
  const request = Object.assign(new EventEmitter(), {
    method: 'INVITE',
    uri: 'sip:b@y',
    source: 'network',
    source_address: '192.0.2.1',
    source_port: 5061,
    protocol: 'tls',
    ...headerFields({ From: '<sip:a@x>;tag=1', To: '<sip:b@y>', 'Call-ID': 'sip-1' }),
  }) as unknown as ReceivedRequest;
  const statuses: number[] = [];
  const response = {
    get finalResponseSent() {
      return statuses.some((status) => status >= 200);
    },
    send: (status: number) => statuses.push(status),
  } as unknown as ResponseSender;
  return { request, response, statuses };
}
