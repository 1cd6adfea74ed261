import type { CallControlReply } from '../../contract/call-control.js';

/** What became of an API request to a call. */
export type Outcome = Omit<CallControlReply, 'owner'>;

export const done: Outcome = { result: 'done', detail: null };
export const conflict = (detail: string): Outcome => ({ result: 'conflict', detail });
