import { e164 } from '../http/phone-number.js';
import type { PortNumber, PortRequest } from './port-rows.js';
import type { PortStatus } from './port-status.js';

const titles: Readonly<Record<PortStatus, string>> = {
  waiting_for_signature: 'waiting for signature',
  submitted: 'signed and submitted',
  in_progress: 'in progress at the losing carrier',
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
};

const advice: Readonly<Record<PortStatus, string>> = {
  waiting_for_signature:
    'The authorized representative has been asked by mail to sign the Letter of Authorization.',
  submitted:
    'The request is on its way to the losing carrier. Keep the service there active until the port is completed.',
  in_progress:
    'The losing carrier is processing it. Keep the service there active until the port is completed.',
  completed: 'The ported numbers are inbound numbers of your organization now.',
  failed: 'Correct the problem named in the reason, then start a new request.',
  canceled: 'No numbers were moved. You can start a new request at any time.',
};

/** What the addresses of a request read about its present state. */
export function portMail(
  request: Pick<PortRequest, 'id' | 'status'>,
  numbers: readonly Pick<PortNumber, 'number' | 'status' | 'reason'>[],
  reason: string,
): { readonly title: string; readonly text: string } {
  const [first] = numbers;
  const more = numbers.length > 1 ? ` and ${numbers.length - 1} more` : '';
  return {
    title: `[Demarc] Port of ${e164(first!.number)}${more}: ${titles[request.status]}`,
    text: [
      `Request: ${request.id}`,
      ...(reason === '' ? [] : [`Reason: ${reason}`]),
      ...numbers.map(
        ({ number, status, reason: why }) =>
          `${e164(number)}: ${titles[status]}${why === null || why === reason ? '' : ` (${why})`}`,
      ),
      '',
      advice[request.status],
      '',
    ].join('\n'),
  };
}
