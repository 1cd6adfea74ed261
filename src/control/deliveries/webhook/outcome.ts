import { STATUS_CODES } from 'node:http';
import { failed, type Outcome } from '../sender.js';

/** What an answer with this status comes to. */
export function outcomeOfStatus(status: number): Exclude<Outcome, { kind: 'interrupted' }> {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const text = `The receiver answered ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  return failed(status >= 300 && status < 400 ? `${text}; redirects are not followed` : text, status);
}
