import { Passwords } from '../../src/control/secrets/passwords.js';

/** A hash of the usual cost takes a quarter of a second of a core. */
export const cheapPasswords = new Passwords({ logN: 4, r: 8, p: 1 });
