import { randomUUID } from 'node:crypto';
import { commandStream } from '../../src/contract/keys.js';
import type { SipPeer } from '../../src/testkit/sip-peer.js';
import type { Stack } from '../../test/e2e/stack.js';
import type { CallSystem } from './call-system.js';

/** Edge, engine, rtpengine and Redis alone. */
export class StackSystem implements CallSystem {
  /** @param agent the bot by WebSocket; absent: the demo agent */
  constructor(
    readonly stack: Stack,
    private readonly agent?: { readonly url: string },
  ) {}

  caller(): Promise<SipPeer> {
    return this.stack.rawCaller();
  }

  number({ port }: SipPeer): Promise<string> {
    const outbound = [{ id: 'trunk', host: '127.0.0.1', port, transport: 'tls' }];
    const { agent } = this;
    const inbound = agent === undefined ? {} : { inbound: { agent_uri: agent.url, streams: [agent] } };
    return this.stack.number({ outbound, ...inbound });
  }

  async order(number: string): Promise<string> {
    const command = {
      version: 1,
      call_id: randomUUID(),
      organization: 'acme',
      number,
      phone_number: '14155550100',
      max_duration_seconds: 600,
      ...(this.agent === undefined ? {} : { agent_uri: this.agent.url, stream: this.agent }),
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
    await this.stack.redisClient.xadd(commandStream, '*', 'command', JSON.stringify(command));
    return command.call_id;
  }

  async records(callIds: readonly string[]) {
    const { stack } = this;
    let complete = 0;
    for (const callId of callIds) {
      const record = await stack
        .record(({ sip_call_ids }) => sip_call_ids.trunk === callId, 10_000)
        .catch(() => undefined);
      if (record?.answered_at != null && record.trace.length > 0) complete++;
    }
    const second = await stack
      .record(({ sip_call_ids }) => callIds.includes(sip_call_ids.trunk), 300)
      .catch(() => undefined);
    return { complete, problems: second === undefined ? [] : ['a call has two records'] };
  }

  ended(): Promise<void> {
    return this.stack.endTest();
  }
}
