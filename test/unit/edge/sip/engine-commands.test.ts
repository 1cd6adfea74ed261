import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EngineCommands, LateReply, persistently } from '../../../../src/edge/sip/engine-commands.js';
import type { EngineConnection } from '../../../../src/edge/sip/engine-connection.js';

/** And a turn of the event loop. */
const boundMilliseconds = 5_001;
let sent: string[];
let connection: EngineConnection;
let commands: EngineCommands;
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  const send = (payload: string): string => `id-${sent.push(payload)}`;
  connection = Object.assign(new EventEmitter(), { isOpen: true, send }) as unknown as EngineConnection;
  commands = new EngineCommands(connection);
});
afterEach(() => {
  vi.useRealTimers();
});

const reply = (text: string): boolean => commands.take(Buffer.from(`7|response|${text}`), 0);

it('tells a late reply from a lost connection', async () => {
  const late = expect(commands.send('adopt|one')).rejects.toBeInstanceOf(LateReply);
  await vi.advanceTimersByTimeAsync(boundMilliseconds);
  await late;
  const lost = commands.send('adopt|one').catch((error: Error) => error);
  connection.emit('close');
  await vi.advanceTimersByTimeAsync(boundMilliseconds);
  expect(await lost).not.toBeInstanceOf(LateReply);
});

it('repeats a command whose reply was late', async () => {
  const engine = { command: (leader: string, body?: string) => commands.send(leader, body) };
  const done = persistently(engine, 'adopt|one', 'names');
  await vi.advanceTimersByTimeAsync(boundMilliseconds);
  expect(sent).toEqual(['adopt|one\r\nnames', 'adopt|one\r\nnames']);
  expect(reply('id-2|OK|1\r\n[]')).toBe(true);
  expect(await done).toEqual({ fields: ['1'], body: '[]' });
});

it('does not repeat a command that the engine refuses, nor one without end', async () => {
  const engine = { command: (leader: string) => commands.send(leader) };
  const refused = expect(persistently(engine, 'restore')).rejects.toThrow('malformed');
  reply('id-1|NOK|malformed');
  await refused;
  const given = expect(persistently(engine, 'restore')).rejects.toBeInstanceOf(LateReply);
  await vi.advanceTimersByTimeAsync(10 * boundMilliseconds);
  await given;
  expect(sent).toHaveLength(5);
});
