import { EventEmitter } from 'node:events';
import type { CallTable } from '../../../../src/edge/call/call-table.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import { CallDoubles, DialogDouble, invitation } from '../../../support/call-doubles.js';

/** Takes hashes, or refuses them as a Redis does whose memory is full. */
export class RedisDouble extends EventEmitter {
  status = 'ready';
  isFull = false;
  /** By transaction: the calls of all its commands. */
  readonly written: string[][] = [];
  /** Calls of each command. */
  readonly portions: number[] = [];
  readonly documents = new Map<string, Buffer>();

  /** The connection of a subscriber. */
  duplicate(): unknown {
    return Object.assign(new EventEmitter(), { disconnect: () => {} });
  }

  pipeline() {
    const ids: string[] = [];
    const commands = {
      hset: (_key: string, ...fields: (string | Buffer)[]) => {
        const named = fields.filter((_field, index) => index % 2 === 0).map(String);
        named.forEach((id, index) => {
          this.documents.set(id, fields[2 * index + 1] as Buffer);
        });
        ids.push(...named);
        this.portions.push(named.length);
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

export function confirmedCall(
  table: CallTable,
  sides: readonly ('trunk' | 'agent')[] = ['trunk', 'agent'],
): InboundCall {
  const { request, response } = invitation();
  const call = new InboundCall(new CallDoubles().deps, request, response);
  table.add(call);
  call.admit({ number: '1', organization: 'acme', maximumSeconds: 60, release: () => {}, shared: undefined });
  call.invite();
  for (const side of sides) call.setDialog(side, new DialogDouble(side).asDialog);
  call.answer();
  call.acknowledge();
  call.confirm();
  return call;
}
