import { parseParameters } from '../../sip/parameters.js';
import { trimWhiteSpace } from '../../sip/text.js';

/** RFC 3891 §6.1: the dialog as its user agent, the one that gets the INVITE, knows it. */
export interface Replaces {
  readonly callId: string;
  /** The local tag of the recipient of the INVITE. */
  readonly toTag: string;
  readonly fromTag: string;
  readonly earlyOnly: boolean;
}

/** Reads the value of a Replaces header; undefined when malformed, as it is without one of the tags. */
export function parseReplaces(value: string): Replaces | undefined {
  const semicolon = value.indexOf(';');
  if (semicolon <= 0) return undefined;
  const callId = trimWhiteSpace(value.slice(0, semicolon));
  const parameters = parseParameters(value, semicolon);
  const toTag = parameters?.get('to-tag');
  const fromTag = parameters?.get('from-tag');
  if (!/^[!-~]+$/.test(callId) || toTag === undefined || fromTag === undefined) return undefined;
  return { callId, toTag, fromTag, earlyOnly: parameters!.has('early-only') };
}
