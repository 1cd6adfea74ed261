/** `demarc/sip`: SIP messages as text and as values; no I/O, no clock. */
export { type Address, formatAddress, parseAddress, tagOf } from './address.js';
export { Headers } from './headers.js';
export {
  newRequest,
  newResponse,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from './message.js';
export { parseMessage } from './parse.js';
export type { ParseResult } from './parse-head.js';
export { serialize } from './serialize.js';
export { type OtherUri, parseUri, type SipUri, type TelUri, type Uri, userOf } from './uri.js';
