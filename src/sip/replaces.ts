import { parseParameters } from './parameters.js';
import { trimWhiteSpace } from './text.js';

/** A dialog as its user agent, the one that gets the INVITE, knows it (RFC 3891 §6.1). */
export interface NamedDialog {
  readonly callId: string;
  /** The local tag of the recipient of the INVITE. */
  readonly toTag: string;
  readonly fromTag: string;
}

export interface Replaces extends NamedDialog {
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
  if (!/^[!-~]+$/.test(callId) || !isTag(toTag) || !isTag(fromTag)) return undefined;
  return { callId, toTag, fromTag, earlyOnly: parameters!.has('early-only') };
}

/** As the value of a header (RFC 3891 §6.1). */
export const formatReplaces = ({ callId, toTag, fromTag, earlyOnly }: Replaces): string =>
  `${callId};to-tag=${toTag};from-tag=${fromTag}${earlyOnly ? ';early-only' : ''}`;

const isTag = (text: string | undefined): text is string => text !== undefined && /^[^\s;,"<>]+$/.test(text);
