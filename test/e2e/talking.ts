import type { Baresip } from '../../dev/softphone/baresip.js';
import type { CallRecord } from '../../src/contract/call-record.js';
import { waitForAudioBothWays, waitForTone } from './hearing.js';
import type { Stack } from './stack.js';

/** A phone whose call is up. */
export async function callFrom(stack: Stack, number: string): Promise<Baresip> {
  const phone = await stack.phone();
  await phone.dial(stack.uri(number));
  await phone.waitFor('CALL_ESTABLISHED', 20_000);
  return phone;
}

/** A call that is up, and whose caller hears that tone. */
export async function talk(stack: Stack, number: string, hertz: number): Promise<Baresip> {
  const phone = await callFrom(stack, number);
  await waitForTone(phone, hertz, 0.2);
  return phone;
}

/** A whole call, heard both ways. */
export async function talkAndHangUp(stack: Stack): Promise<CallRecord> {
  const number = await stack.number();
  const phone = await callFrom(stack, number);
  await waitForAudioBothWays(phone, 0.2);
  await phone.hangup();
  return stack.recordOf(number);
}
