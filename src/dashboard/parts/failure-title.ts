import type { ApiFailure } from '../api/client.js';
import { capitalized } from './format.js';

/** `Call not found`: what is missing does not come by trying again. */
export const titleOf = (what: string, { status }: Pick<ApiFailure, 'status'>): string => {
  const thing = capitalized(what.replace(/^the /, ''));
  return status === 404 ? `${thing} not found` : `${thing}: not available`;
};

/** An id or a number, such as the one of `Version 3 not found`. */
const identifier = / \S*[\d_]\S*/g;

/** Whether the message says no more than the title, as `Run run_4f not found` below `Run not found`. */
export const repeatsTitle = (title: string, message: string): boolean =>
  message.replace(identifier, '').toLowerCase() === title.toLowerCase();
