import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../../src/contract/call-record.js';
import {
  type EdgeHeartbeat,
  heartbeatKey,
  type LiveCall,
  liveCallsKey,
  liveEdgesKey,
} from '../../../src/contract/live.js';
import { readSession } from '../../../src/sdp/sdp.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { TestAuthority } from '../../support/certificates.js';
import { demarcCommand } from '../../support/engine-under-test.js';
import { freePort, freePorts } from '../../support/free-ports.js';
import { PeerCall } from '../../support/peer-call.js';
import { TestProcess } from '../../support/processes.js';
import { RedisMonitor } from '../../support/redis-monitor.js';
import { type CallBench, calledNumber } from '../call/bench.js';
import type { Answer, ApiUnderTest } from '../control/api-under-test.js';
import { agentDescription, trunkDescription, trunkKey } from '../media/descriptions.js';
import { WatchedBench } from './watched-bench.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let watched: WatchedBench;
let bench: CallBench;
let api: ApiUnderTest;
let organization: string;
/** Of the organization that has the called number, and of operators of another one. */
let key: string;
let stranger: string;

beforeAll(async () => {
  watched = await WatchedBench.start();
  ({ calls: bench, api, organization } = watched);
  ({ own: key, operator: stranger } = watched.keys);
}, 180_000);
afterAll(() => watched?.stop());

const pathOf = (callId: string): string => `/v1/sip/calls/${encodeURIComponent(callId)}`;

/** Looks again where an edge or the database had no time, as `Retry-After` says. */
async function look(callId: string, by: string = key, query = ''): Promise<Answer> {
  let answer: Answer | undefined;
  const ask = async (): Promise<number> => {
    answer = await api.get(pathOf(callId) + query, by);
    return answer.status;
  };
  await expect.poll(ask, { interval: 200, timeout: 10_000 }).not.toBe(503);
  return answer!;
}

const summariesOf = (trace: readonly TraceEntry[], leg: TraceEntry['leg']): string[] =>
  trace.filter((entry) => entry.leg === leg).map(({ summary }) => summary);

/** The agent gets the call's id. */
const idAt = (agent: PeerCall): string => agent.callId;

async function untilTraced(callId: string, summary: string, times = 1): Promise<Answer> {
  let answer: Answer | undefined;
  await until(
    async () => {
      answer = await look(callId);
      const { trace } = answer.body.data as { trace: readonly TraceEntry[] };
      return trace.filter((entry) => entry.summary === summary).length >= times;
    },
    10_000,
    () => `${summary} is in the trace: ${answer?.text}`,
  );
  return answer!;
}

/** Both parties hang up; the record is stored. */
async function end(trunk: PeerCall, agent: PeerCall): Promise<void> {
  await trunk.send('BYE');
  await agent.respond(await agent.peer.expectRequest('BYE', { callId: agent.callId }), 200);
  await trunk.response(200, 'BYE');
  await until(
    async () => (await look(idAt(agent))).body.data.state === 'ended',
    10_000,
    'the call is stored',
  );
}

/** Speaks from that port to where the offer says; the returned function ends it. */
async function speak(port: number, offer: string): Promise<() => void> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  await once(socket, 'listening');
  const to = Number(readSession(offer)!.media[0]!.port);
  let sequence = 0;
  const timer = setInterval(() => {
    sequence++;
    const packet = Buffer.alloc(12 + 160, 0xff);
    packet.writeUInt16BE(0x8000, 0);
    packet.writeUInt16BE(sequence, 2);
    packet.writeUInt32BE(sequence * 160, 4);
    packet.writeUInt32BE(4_711, 8);
    socket.send(packet, to, '127.0.0.1');
  }, 20);
  return () => {
    clearInterval(timer);
    socket.close();
  };
}

describe('an active call', () => {
  it('is shown with its messages so far, its media so far, and then as its record', async () => {
    const trunk = await bench.call();
    const { agent, invite } = await bench.atAgent();
    const callId = idAt(agent);
    await agent.respond(invite, 180);
    await trunk.response(180);
    const ringing = (await untilTraced(callId, '180 Ringing', 2)).body.data;
    expect(ringing).toMatchObject({
      call_id: callId,
      state: 'ringing',
      phone_number: `+${calledNumber}`,
      edge_id: 'bench',
      outcome: null,
      end_reason: null,
      cause: null,
      ended_at: null,
      answered_at: null,
      sip_call_id: trunk.callId,
      agent_sip_call_id: callId,
      open_transfer: null,
    });
    expect(summariesOf(ringing.trace, 'trunk')).toEqual(['INVITE', '100 Trying', '180 Ringing']);
    expect(summariesOf(ringing.trace, 'agent').filter((each) => each !== '100 Trying')).toEqual([
      'INVITE',
      '180 Ringing',
    ]);
    const agentPort = await freePort();
    await agent.respond(invite, 200, { body: agentDescription({ port: agentPort }) });
    await trunk.ack((await trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId });
    const silence = await speak(agentPort, invite.message.body);
    let answered = (await untilTraced(callId, 'ACK', 2)).body.data;
    await until(
      async () => {
        answered = (await look(callId)).body.data;
        return answered.media.rtp.agent?.packets_received >= 5;
      },
      10_000,
      () => `media so far: ${JSON.stringify(answered.media)}`,
    ).finally(silence);
    expect(answered).toMatchObject({
      state: 'answered',
      outcome: null,
      media: {
        trunk_codec: 'PCMU',
        srtp_suite: 'AES_CM_128_HMAC_SHA1_80',
        rtp: { trunk: { packets_received: 0 } },
      },
    });
    const text = await look(callId, key, '?format=text');
    expect(text.text).toMatch(/^Ended +not yet: answered at /m);
    expect(text.text).toMatch(/INVITE \(SDP\)/);
    const pcap = await look(callId, key, '?format=pcap');
    expect(pcap.bytes.readUInt32LE(0)).toBe(0xa1b2c3d4);
    await trunk.send('BYE');
    const bye = await bench.agent.expectRequest('BYE', { callId });
    const states: string[] = [];
    // Polling never answers meanwhile that there is no such call.
    await until(
      async () => {
        const { status, body } = await api.get(pathOf(callId), key);
        expect([200, 503]).toContain(status);
        if (status === 200) states.push(body.data.state);
        if (states.length === 1) await agent.respond(bye, 200);
        return states.at(-1) === 'ended';
      },
      15_000,
      () => `the record: ${states}`,
    );
    await trunk.response(200, 'BYE');
    // The legs are given two seconds.
    expect(['ending', 'ended']).toContain(states[0]);
    const ended = (await look(callId)).body.data;
    expect(ended).toMatchObject({ state: 'ended', outcome: 'completed', end_reason: 'caller_hung_up' });
    // What was seen so far is how the record begins.
    const length = answered.trace.length;
    expect(ended.trace.slice(0, length)).toEqual(answered.trace);
    expect(summariesOf(ended.trace.slice(length), 'trunk')).toEqual(['BYE', '200 OK']);
    expect(ended.media.rtp.agent.packets_received).toBeGreaterThanOrEqual(
      answered.media.rtp.agent.packets_received,
    );
    await bench.expectNothingLeft();
  });

  it('is visible to its organization only, and shows no secret', async () => {
    const { trunk, agent } = await bench.establish({
      headers: {
        'Proxy-Authorization': 'Digest username="alice", realm="x", nonce="n", response="0123456789abcdef"',
      },
    });
    const callId = idAt(agent);
    const mine = await untilTraced(callId, 'ACK', 2);
    expect(mine.text).not.toContain(trunkKey);
    expect(mine.text).not.toContain('0123456789abcdef');
    expect(mine.text).toContain('inline:[redacted]');
    for (const format of ['json', 'text', 'pcap']) {
      const refused = await look(callId, stranger, `?format=${format}`);
      expect([refused.status, refused.body.errors]).toEqual([
        404,
        [{ error: 'NOT_FOUND', message: 'Call not found' }],
      ]);
    }
    expect((await look(`${callId}x`)).status).toBe(404);
    await end(trunk, agent);
  });

  it('costs Redis nothing without a trace request, and leaves nothing there after one', async () => {
    const seen: (readonly string[])[] = [];
    const monitor = await RedisMonitor.open(bench.redis.options.port!, (words) => {
      if (words.some((word) => word.includes('call-look'))) seen.push(words);
    });
    const { trunk, agent } = await bench.establish();
    const callId = idAt(agent);
    await bench.redis.publish('test', 'demarc:call-look is watched');
    await until(() => seen.length > 0, 5_000, 'the monitor watches');
    expect(seen).toHaveLength(1);
    await look(callId);
    await bench.redis.publish('test', 'demarc:call-look is over');
    await until(
      () => seen.some((words) => words[2]?.endsWith('is over')),
      5_000,
      'the monitor has caught up',
    );
    const commands = seen.slice(1, -1).map(([command]) => command!.toLowerCase());
    // Again where the edge had no time.
    expect(new Set(commands.filter((command) => command !== 'lpop'))).toEqual(
      new Set(['publish', 'rpush', 'pexpire']),
    );
    await until(
      async () => (await bench.redis.keys('demarc:call-look-reply:*')).length === 0,
      15_000,
      'no reply is left',
    );
    monitor.close();
    await end(trunk, agent);
  });

  it('shows a hanging transfer, with the messages of the new leg', async () => {
    const desk = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
    let isOver = false;
    const probes = (async () => {
      while (!isOver) {
        const probe = await desk.expectRequest('OPTIONS', { milliseconds: 300 }).catch(() => undefined);
        if (probe !== undefined) await PeerCall.from(desk, probe.message).respond(probe, 200);
      }
    })();
    const outbound = [{ id: 'out', host: '127.0.0.1', port: desk.port, transport: 'tcp' }];
    await bench.configure({ organization, outbound });
    const { trunk, agent } = await bench.establish();
    const callId = idAt(agent);
    await agent.send('REFER', { headers: { 'Refer-To': '<tel:+14155550100>', 'Refer-Sub': 'false' } });
    await agent.response(202, 'REFER');
    const invite = await desk.expectRequest('INVITE');
    const target = PeerCall.from(desk, invite.message);
    await target.respond(invite, 180);
    let data = (await look(callId)).body.data;
    await until(
      async () => {
        data = (await look(callId)).body.data;
        return data.trace.some(
          ({ summary, message }: TraceEntry) => summary === '180 Ringing' && message.includes(target.callId),
        );
      },
      10_000,
      'the new leg rings in the trace',
    );
    expect(data).toMatchObject({
      state: 'answered',
      transfers: [],
      open_transfer: { mode: 'bridge', requested_by: 'agent' },
    });
    expect(data.open_transfer.target).toContain('+14155550100');
    await trunk.send('BYE');
    const cancelled = await desk.expectRequest('CANCEL');
    await target.respond(cancelled, 200);
    await target.respond(invite, 487);
    await desk.expectRequest('ACK', { callId: target.callId });
    await agent.respond(await bench.agent.expectRequest('BYE', { callId }), 200);
    await trunk.response(200, 'BYE');
    await until(async () => (await look(callId)).body.data.state === 'ended', 10_000, 'the call is stored');
    isOver = true;
    await probes;
    await desk.close();
    await bench.configure({ organization });
  });
});

describe('of several edges', () => {
  let neighbour: TestProcess;
  let authority: TestAuthority;
  let caller: SipPeer;

  beforeAll(async () => {
    authority = await TestAuthority.create();
    const { certFile, keyFile } = await authority.issue('engine');
    const [tls, tcp, http, agentSide] = await freePorts(4);
    const [command, argv] = demarcCommand('edge', []);
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('DRACHTIO_'));
    neighbour = new TestProcess(command, argv, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...Object.fromEntries(inherited),
        DEMARC_EDGE_ID: 'neighbour',
        DEMARC_STATE_DIR: authority.directory,
        DEMARC_REDIS_URL: `redis://127.0.0.1:${bench.redis.options.port}`,
        DEMARC_RTPENGINE: `127.0.0.1:${bench.rtpengine.port}`,
        DEMARC_TLS_CERT: certFile,
        DEMARC_TLS_KEY: keyFile,
        DEMARC_SIP_TLS_PORT: String(tls),
        DEMARC_SIP_TCP_PORT: String(tcp),
        DEMARC_HTTP_PORT: String(http),
        DEMARC_AGENT_LISTEN: `127.0.0.1:${agentSide}`,
        DEMARC_AGENT_URI: bench.agent.uri('agent'),
        DEMARC_SOURCE_POLICY: 'any',
      },
    });
    const isReady = (message: unknown): true | undefined =>
      (message as { type?: unknown } | null)?.type === 'ready' ? true : undefined;
    await neighbour.message(isReady, 30_000, 'the neighbour is ready');
    caller = await SipPeer.open({ protocol: 'tcp', target: { host: '127.0.0.1', port: tcp! } });
  }, 180_000);
  afterAll(async () => {
    neighbour?.signal('SIGKILL');
    await caller?.close();
    authority?.remove();
  });

  async function callAtNeighbour(): Promise<{ trunk: PeerCall; agent: PeerCall }> {
    const trunk = PeerCall.to(caller, calledNumber);
    await trunk.invite({ body: trunkDescription() });
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    await trunk.ack((await trunk.response(200)).message);
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    return { trunk, agent };
  }

  it('the one that has the call answers', async () => {
    const here = await bench.establish();
    const there = await callAtNeighbour();
    expect((await untilTraced(idAt(here.agent), 'ACK', 2)).body.data.edge_id).toBe('bench');
    const data = (await untilTraced(idAt(there.agent), 'ACK', 2)).body.data;
    expect(data).toMatchObject({ edge_id: 'neighbour', state: 'answered', sip_call_id: there.trunk.callId });
    expect((await look('nobody-has-this')).status).toBe(404);
    await end(there.trunk, there.agent);
    await end(here.trunk, here.agent);
  });

  it('make the answer 503, not 404, when one of them is listed with the call and unreachable', async () => {
    const owner = 'cut-off 1';
    const [edgeId] = await bench.redis.zrange(liveEdgesKey, '0', '0');
    const heartbeat = JSON.parse((await bench.redis.get(heartbeatKey(edgeId!)))!) as EdgeHeartbeat;
    const call: LiveCall = {
      call_id: 'lost-call',
      organization,
      number: calledNumber,
      direction: 'inbound',
      from: '<sip:a@x>',
      to: '<sip:b@y>',
      state: 'ringing',
      started_at: heartbeat.at,
      ringing_at: heartbeat.at,
      answered_at: null,
      media: null,
      trunk: { address: '192.0.2.1:5060', protocol: 'tls', sip_call_id: 'one' },
    };
    // Its age is what it has lived of ten minutes: this one stays young for another.
    await bench.redis.set(
      heartbeatKey(owner),
      JSON.stringify({ ...heartbeat, edge_id: 'cut-off' }),
      'EX',
      660,
    );
    await bench.redis.zadd(liveEdgesKey, Date.now(), owner);
    await bench.redis.hset(liveCallsKey(owner), call.call_id, JSON.stringify(call));
    // Control has known its edges for up to a second.
    await until(
      async () => (await api.get(pathOf(call.call_id), key)).status === 503,
      10_000,
      'the call is known',
    );
    const answer = await api.get(pathOf(call.call_id), key);
    expect(answer.body.errors).toMatchObject([{ error: 'LIVE_CALL_UNAVAILABLE' }]);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await api.get(pathOf(call.call_id), stranger)).status).toBe(404);
    await bench.redis.del(heartbeatKey(owner), liveCallsKey(owner));
    await bench.redis.zrem(liveEdgesKey, owner);
  });

  it('block no request when one of them hangs or is killed during it', async () => {
    const here = await bench.establish();
    const there = await callAtNeighbour();
    await untilTraced(idAt(there.agent), 'ACK', 2);
    neighbour.signal('SIGSTOP');
    const asked = api.get(pathOf(idAt(there.agent)), key);
    expect((await look(idAt(here.agent))).body.data.edge_id).toBe('bench');
    neighbour.signal('SIGKILL');
    // 404 where this took so long that the edge counts as gone.
    expect([503, 404]).toContain((await asked).status);
    expect((await look(idAt(here.agent))).body.data.state).toBe('answered');
    // The call has no owner once its edge counts as down.
    await until(
      async () => (await api.get(pathOf(idAt(there.agent)), key)).status === 404,
      20_000,
      'the call is gone with its edge',
    );
    await end(here.trunk, here.agent);
  });
});

describe('while Redis is down', () => {
  it('live state is unavailable', async () => {
    // No publishing command passes, and so no request to the edges.
    await bench.redis.client('PAUSE', 60_000, 'WRITE');
    const answer = await api.get(pathOf('any'), key);
    await bench.redis.client('UNPAUSE');
    expect(answer.status).toBe(503);
    expect(answer.body.errors).toMatchObject([{ error: 'LIVE_STATE_UNAVAILABLE' }]);
    await until(async () => (await api.get(pathOf('any'), key)).status === 404, 20_000, 'Redis is back');
  });
});
