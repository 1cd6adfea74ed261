import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../../src/base/log.js';
import { AgentReach, agentProblem } from '../../../../src/edge/health/agent-reach.js';
import type { ResolvedTarget, UnresolvedTarget } from '../../../../src/naming/target-resolver.js';

const addresses: Readonly<Record<string, string>> = { 'agent.test': '192.0.2.20', 'here.test': '127.0.0.1' };
const names = {
  resolve: async ({ host, port = 5060 }: UnresolvedTarget): Promise<readonly ResolvedTarget[]> => {
    const address = addresses[host] ?? (/^[\d.]+$/.test(host) ? host : undefined);
    if (address === undefined) throw new Error('no address');
    return [{ protocol: 'tcp', address, port, serverName: host }];
  },
};
const loopback = [
  { protocol: 'tls', host: '192.0.2.1', port: 5061 },
  { protocol: 'tcp', host: '127.0.0.1', port: 5070 },
] as const;
const local = [...loopback, { protocol: 'tcp', host: '192.0.2.1', port: 5070 }] as const;

describe('the reach of the agent', () => {
  it.each([
    ['an address', 'sip:agent@192.0.2.20:5080;transport=tcp'],
    ['a name', 'sip:agent@agent.test;transport=tcp'],
  ])('reports an agent on another machine, by %s, when the listeners are on loopback', async (_, uri) => {
    expect(await agentProblem(uri, loopback, names)).toBe(
      `The SIP engine cannot reach the agent ${uri} at 192.0.2.20 from its tcp listeners (127.0.0.1:5070), which are on loopback. ` +
        'Add a --tcp listener on an address of this machine that the agent reaches.',
    );
    expect(await agentProblem(uri, local, names)).toBeUndefined();
  });

  it.each(['sip:agent@127.0.0.1:5080;transport=tcp', 'sip:agent@here.test;transport=tcp'])(
    'accepts %s on this machine',
    async (uri) => {
      expect(await agentProblem(uri, loopback, names)).toBeUndefined();
    },
  );

  it('reports a transport without a listener', async () => {
    expect(await agentProblem('sip:agent@192.0.2.20', loopback, names)).toContain('has no udp listener');
  });

  it('stays silent about a name without an address', async () => {
    expect(await agentProblem('sip:agent@gone.test;transport=tcp', loopback, names)).toBeUndefined();
  });

  it('warns once per connection of the engine, and never makes the edge unready', async () => {
    const lines: string[] = [];
    const log = createLog(
      { level: 'warn', role: 'edge' },
      { write: (line: string) => void lines.push(line) },
    );
    const engine = Object.assign(new EventEmitter(), { ownListeners: loopback });
    const reach = new AgentReach({
      engine: engine as never,
      names,
      defaultAgentUri: 'sip:agent@192.0.2.20;transport=tcp',
      log,
    });
    reach.start();
    expect(reach.state()).toEqual({ ready: true, detail: 'not checked' });
    engine.emit('up', []);
    await expect.poll(() => reach.state().detail).toContain('cannot reach the agent');
    expect(reach.state().ready).toBe(true);
    expect(lines).toHaveLength(1);
  });
});
