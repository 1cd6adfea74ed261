import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * The addresses that a name may stand for, looked up for the very connection that is made: what a name led to a moment ago
 * says nothing (DNS rebinding).
 * @param forbidden the error when none of its addresses may be reached
 */
export const guardedLookup =
  (mayReach: (address: string) => boolean, forbidden: () => Error): LookupFunction =>
  (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) {
        callback(error, [], 0);
        return;
      }
      const allowed = found.filter(({ address }) => mayReach(address));
      const [first] = allowed;
      if (first === undefined) callback(forbidden(), [], 0);
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
