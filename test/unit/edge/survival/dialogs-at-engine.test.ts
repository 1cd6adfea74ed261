import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dialogsAtEngine } from '../../../../src/edge/survival/dialogs-at-engine.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['ours', ['engine-1', '1', '', '1']],
  // An engine that is replaced gives them to its successor.
  ['ours', ['engine-1', '1', 'replaced', '1']],
  ['adopted', ['engine-1', '1', 'adopted', '1']],
  ['unknown', ['engine-2', '1', 'adopted', '1']],
] as const)('are %s where the engine says %j', async (dialogs, fields) => {
  const commands: string[] = [];
  const command = async (leader: string) => {
    commands.push(leader);
    return { fields, body: '' };
  };
  expect(await dialogsAtEngine({ owner: 'own', command }, 'engine-1')).toBe(dialogs);
  expect(commands).toEqual(['owned|own']);
});

it('are unknown where the engine refuses, or has closed the connection for the adopter', async () => {
  const refuses = async () => Promise.reject(new Error('The SIP engine is not connected.'));
  expect(await dialogsAtEngine({ owner: 'own', command: refuses }, 'engine-1')).toBe('unknown');
  const asked = dialogsAtEngine({ owner: 'own', command: () => new Promise(() => {}) }, 'engine-1');
  await vi.advanceTimersByTimeAsync(1_100);
  expect(await asked).toBe('unknown');
});
