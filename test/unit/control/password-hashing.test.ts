import { describe, expect, it } from 'vitest';
import { Passwords } from '../../../src/control/secrets/passwords.js';

/** Each takes a thread longer than its turn on a busy machine. */
const ofLowerCost = new Passwords({ logN: 13, r: 8, p: 1 });

describe('the hash of a password', () => {
  it('has by default the cost that OWASP recommends for 32 MB of memory', async () => {
    const passwords = new Passwords();
    const hash = await passwords.hash('correct horse battery');
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(passwords.isOutdated(hash)).toBe(false);
    expect(await passwords.matches('correct horse battery', hash)).toBe(true);
    expect(await passwords.matches('wrong', hash)).toBe(false);
  });

  it('remains valid at another cost, and is outdated', async () => {
    const passwords = new Passwords();
    const hash = await ofLowerCost.hash('correct horse battery');
    expect(await passwords.matches('correct horse battery', hash)).toBe(true);
    expect(await passwords.matches('wrong', hash)).toBe(false);
    expect(passwords.isOutdated(hash)).toBe(true);
  });

  it('of no person matches no password, and takes a comparison of the usual cost', async () => {
    const before = process.cpuUsage().user;
    expect(await new Passwords().matches('correct horse battery', undefined)).toBe(false);
    const usual = process.cpuUsage().user - before;
    expect(await ofLowerCost.matches('correct horse battery', undefined)).toBe(false);
    expect(process.cpuUsage().user - before - usual).toBeLessThan(usual);
  });
});

describe('the queue of sign-ins', () => {
  it('serves a known browser while unknown ones fill it', async () => {
    // The queue is the same at any cost.
    const cheap = await ofLowerCost.hash('correct horse battery');
    let served = 0;
    // On a busy machine the last of them are refused.
    const strangers = Promise.allSettled(
      Array.from({ length: 20 }, async () => {
        await ofLowerCost.matches('wrong', cheap);
        served += 1;
      }),
    );
    expect(await ofLowerCost.matches('correct horse battery', cheap, true)).toBe(true);
    expect(served).toBeLessThan(16);
    await strangers;
  });
});
