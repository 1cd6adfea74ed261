import { testTokenHeader } from '../../contract/test-grant.js';
import { reasonPhrase } from '../../sip/status.js';
import type { FinalAnswer } from './refuse-invite.js';

/** An INVITE of a caller that drachtio-srf has not parsed: an edge that refuses most calls for load must spend little on each. */
export interface UnreadInvite {
  readonly sourceAddress: string;
  /** When it reached the SIP server: time of day, as the engine writes it. */
  readonly arrivedAt: string;
  readonly requestUri: string;
  readonly transactionId: string;
  /** Whether the caller of an agent test sent it, who must know that the agent was not asked. */
  readonly isTest: boolean;
}

/** Decides about such INVITEs. */
export interface LoadShedder {
  /** False: every INVITE is handled. */
  readonly isShedding: boolean;
  /** Undefined: the INVITE is handled. */
  refusal(invite: UnreadInvite): FinalAnswer | undefined;
}

const method = 'INVITE ';
const toTag = /\r\n(?:To|t)[ \t]*:[^\r\n]*;[ \t]*tag[ \t]*=/i;
/** As the caller of tests writes it: a plain search costs less than a pattern. */
const testToken = `\r\n${testTokenHeader}:`;
const replaces = /\r\nReplaces[ \t]*:/i;

/** Undefined: the frame has no INVITE of the network, or one that is about an existing dialog (by its To tag, or by Replaces). */
export function unreadInvite(frame: Buffer, payloadStart: number): UnreadInvite | undefined {
  const leaderEnd = frame.indexOf('\r\n', payloadStart);
  if (leaderEnd < 0) return undefined;
  const start = leaderEnd + 2;
  if (frame.toString('latin1', start, start + method.length) !== method) return undefined;
  const leader = frame.toString('latin1', payloadStart, leaderEnd).split('|');
  const [, type, source, , , sourceAddress, , arrivedAt, transactionId, dialogId] = leader;
  if (type !== 'sip' || source !== 'network' || dialogId !== '') return undefined;
  if (sourceAddress === undefined || arrivedAt === undefined || transactionId === undefined) return undefined;
  const head = frame.toString('utf8', start, frame.indexOf('\r\n\r\n', start));
  if (toTag.test(head) || replaces.test(head)) return undefined;
  const requestUri = head.slice(method.length, head.indexOf(' ', method.length));
  return { sourceAddress, arrivedAt, requestUri, transactionId, isTest: head.includes(testToken) };
}

/** The command that makes the engine send the response; it completes Via, From, To, Call-ID and CSeq. */
export function refusalCommand(transactionId: string, { status, reason, headers = {} }: FinalAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `sip|${transactionId}|\r\nSIP/2.0 ${status} ${reason ?? reasonPhrase(status)}\r\n${lines.join('')}\r\n`;
}
