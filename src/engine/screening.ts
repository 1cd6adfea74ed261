import type { ScreeningAction, ScreeningSettings } from '../config/engine-settings.js';
import type { SipRequest } from '../sip/message.js';
import { isReliable, type Received } from './transport/flow.js';

const holds = (value: string | undefined, text: string): boolean =>
  value?.toLowerCase().includes(text.toLowerCase()) === true;

/** The verdict on a request before it is processed; undefined: process it. */
export function screen(
  settings: ScreeningSettings,
  { message: { headers }, flow }: Received<SipRequest>,
): ScreeningAction | undefined {
  const isScanner = settings.scanners.some(({ header, text }) => holds(headers.get(header), text));
  if (!isScanner) return undefined;
  return isReliable(flow.protocol) ? settings.streamAction : settings.action;
}

/** True for an OPTIONS ping that the engine answers for its applications. One that requires an extension is theirs. */
export function answersOptions(
  { answeredOptions }: ScreeningSettings,
  { method, headers }: SipRequest,
): boolean {
  if (answeredOptions.length === 0 || method !== 'OPTIONS' || headers.has('Require')) return false;
  const userAgent = headers.get('User-Agent');
  return answeredOptions.some((text) => text === '*' || holds(userAgent, text));
}
