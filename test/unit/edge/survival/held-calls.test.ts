import { EventEmitter } from 'node:events';
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { CallTable } from '../../../../src/edge/call/call-table.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { HeldCalls, type HeldCallsDeps } from '../../../../src/edge/survival/held-calls.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

/** Takes hashes, or refuses them as a Redis does whose memory is full. */
class RedisDouble extends EventEmitter {
  readonly status = 'ready';
  isFull = false;
  readonly written: string[][] = [];

  pipeline() {
    let ids: string[] = [];
    const commands = {
      hset: (_key: string, ...fields: (string | Buffer)[]) => {
        ids = fields.filter((_field, index) => index % 2 === 0).map(String);
        return commands;
      },
      pexpire: () => commands,
      exec: async () => {
        if (this.isFull) return [[new Error('OOM command not allowed'), null]];
        this.written.push(ids);
        return [[null, 1]];
      },
    };
    return commands;
  }
}

function confirmedCall(table: CallTable): InboundCall {
  const { request, response } = invitation();
  const call = new InboundCall(new CallDoubles().deps, request, response);
  table.add(call);
  call.admit({ number: '1', organization: 'acme', maximumSeconds: 60, release: () => {}, shared: undefined });
  call.invite();
  for (const side of ['trunk', 'agent'] as const) call.setDialog(side, new DialogDouble(side).asDialog);
  call.answer();
  call.acknowledge();
  call.confirm();
  return call;
}

let redis: RedisDouble;
let lease: HeldCallsDeps['lease'];
let table: CallTable;
let held: HeldCalls;
beforeEach(() => {
  vi.useFakeTimers();
  redis = new RedisDouble();
  lease = new EventEmitter();
  table = new CallTable();
  const secrets = new SecretBox([generateSecretKey()]);
  const log = pino({ level: 'silent' });
  held = new HeldCalls({ redis: redis as never, holder: 'edge-1', lease, table, secrets, log });
  held.start();
});
afterEach(() => {
  held.stop();
  vi.useRealTimers();
});

it('writes a call again that Redis did not take', async () => {
  redis.isFull = true;
  const call = confirmedCall(table);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(redis.written).toEqual([]);
  redis.isFull = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(redis.written).toEqual([[call.state.id]]);
});

it('writes nothing after its calls were left to another edge, even if the last write failed', async () => {
  redis.isFull = true;
  confirmedCall(table);
  await vi.advanceTimersByTimeAsync(100);
  held.stop();
  redis.isFull = false;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(redis.written).toEqual([]);
});

it('writes all calls again when Redis has lost its data behind an open connection', async () => {
  const calls = [confirmedCall(table), confirmedCall(table)];
  await vi.advanceTimersByTimeAsync(1_000);
  redis.written.length = 0;
  lease.emit('dataLost');
  await vi.advanceTimersByTimeAsync(100);
  expect(redis.written).toEqual([calls.map(({ state }) => state.id)]);
});
