import type { PortStatus } from '../port-status.js';

/** Whether a letter can be signed at a time; it is signed once, within its time, while its request waits for it. */
export function stateOfLetter(
  { signed_at, expires_at }: { readonly signed_at: Date | null; readonly expires_at: Date },
  { status }: { readonly status: PortStatus },
  now: number,
): 'open' | 'signed' | 'over' | 'expired' {
  if (signed_at !== null) return 'signed';
  if (status !== 'waiting_for_signature') return 'over';
  return expires_at.getTime() <= now ? 'expired' : 'open';
}
