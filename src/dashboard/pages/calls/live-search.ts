import type { LiveCall } from '../../api/noc.js';
import type { Search } from './search.js';

const digitsIn = (text: string): string => text.replaceAll(/\D/g, '');

/** @param wanted as typed; empty: all numbers */
export function isOfNumber(phoneNumber: string | null, wanted: string | undefined): boolean {
  const digits = digitsIn(wanted ?? '');
  return digits === '' || phoneNumber?.replace('+', '') === digits;
}

/** Whether an active call is among those that the filters of the history select. */
export function matches(call: LiveCall, { q, number, direction }: Search): boolean {
  return (
    (direction === undefined || direction === call.direction) &&
    isOfNumber(call.phone_number, number) &&
    (q === undefined || holds(call, q.trim().toLowerCase()))
  );
}

/** Past calls are found by no shorter part of a Call-ID. */
const leastCallIdPart = 8;
const holdsCallId = (callId: string, text: string): boolean =>
  callId === text || (text.length >= leastCallIdPart && callId.includes(text));

/** As the search of past calls: part of a party or of a Call-ID, or a whole identifier. */
function holds(call: LiveCall, text: string): boolean {
  const digits = /^[+\d\s().\-/]+$/.test(text) ? digitsIn(text) : '';
  const parties = `${call.from_header} ${call.to_header}`.toLowerCase();
  return (
    parties.includes(text) ||
    (digits.length > 2 && digitsIn(`${call.from} ${call.to}`).includes(digits)) ||
    call.call_id.toLowerCase() === text ||
    holdsCallId(call.trunk.sip_call_id.toLowerCase(), text) ||
    call.trunk.address.startsWith(`${text}:`)
  );
}
