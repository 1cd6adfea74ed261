import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SecretRotation } from '../../../../src/control/secrets/secret-rotation.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const log = pino({ level: 'silent' });
const reseal = (resealed: number, unreadable: number) => async () => ({ resealed, unreadable });

describe('the rotation of secrets', () => {
  it('adds up what was done in each area', async () => {
    const rotation = new SecretRotation({ hasKey: true, reseals: [reseal(3, 1), reseal(4, 0)], log });
    expect(rotation.state()).toEqual({ ready: true, detail: 'not checked yet' });
    await rotation.start();
    await rotation.stop();
    expect(rotation.state()).toEqual({ ready: true, detail: '7 re-encrypted, 1 not decryptable' });
  });

  it('does nothing without a key', async () => {
    const fail = async () => {
      throw new Error('called');
    };
    const rotation = new SecretRotation({ hasKey: false, reseals: [fail], log });
    await rotation.start();
    await rotation.stop();
    expect(rotation.state().detail).toBe('no key is set');
  });

  it('tries again five seconds after a failure', async () => {
    let runs = 0;
    const failing = async () => {
      runs += 1;
      if (runs === 1) throw new Error('down');
      return { resealed: 2, unreadable: 0 };
    };
    const rotation = new SecretRotation({ hasKey: true, reseals: [failing], log });
    await rotation.start();
    await vi.advanceTimersByTimeAsync(4_999);
    expect([runs, rotation.state()]).toEqual([1, { ready: true, detail: 'waiting for the database' }]);
    await vi.advanceTimersByTimeAsync(1);
    await rotation.stop();
    expect([runs, rotation.state().detail]).toEqual([2, '2 re-encrypted, 0 not decryptable']);
  });

  it('ends with the process', async () => {
    let runs = 0;
    const failing = async () => {
      runs += 1;
      throw new Error('down');
    };
    const rotation = new SecretRotation({ hasKey: true, reseals: [failing], log });
    await rotation.start();
    await rotation.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toBe(1);
  });
});
