import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MediaUnavailable, RtpenginePool } from '../../../../src/edge/media/rtpengine-pool.js';
import { until } from '../../../../src/testkit/waiting.js';
import { NgDouble } from '../../../support/ng-double.js';
import { SteppedTime } from '../../../support/stepped-time.js';

const sdp =
  'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 0\r\n';
const offer = { 'from-tag': 'a', sdp };

let time: SteppedTime;
let ngDouble: NgDouble;
let two: NgDouble;
let pools: RtpenginePool[];

beforeEach(async () => {
  time = SteppedTime.start();
  [ngDouble, two] = await Promise.all([NgDouble.start(), NgDouble.start()]);
  pools = [];
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.stop()));
  await Promise.all([ngDouble.close(), two.close()]);
  await time.stop();
});

/** Of both nodes; `timeoutMilliseconds` is for a call, half of it for a node. */
async function start({
  timeoutMilliseconds = 200,
  weight = 1,
  pingMilliseconds = 60_000,
  silenceMilliseconds = 1_500,
} = {}): Promise<RtpenginePool> {
  const nodes = [
    { host: ngDouble.host, port: ngDouble.port, weight },
    { host: two.host, port: two.port },
  ];
  const pool = new RtpenginePool({
    settings: { nodes, timeoutMilliseconds, pingMilliseconds, silenceMilliseconds },
    log: pino({ level: 'silent' }),
  });
  pools.push(pool);
  await pool.start();
  return pool;
}

const nameOf = ({ port }: NgDouble): string => `127.0.0.1:${port}`;
const stateOf = (pool: RtpenginePool, node: NgDouble) =>
  pool.states().find(({ name }) => name === nameOf(node))!;
const callsOf = (node: NgDouble) =>
  node.received
    .filter(({ command }) => command !== 'ping')
    .map(({ command, callId }) => `${command} ${callId}`);

describe('the calls of a node', () => {
  it('stay there when it was only slow to answer, and leave it when it stays silent', async () => {
    const pool = await start({ pingMilliseconds: 20, silenceMilliseconds: 400 });
    const left: string[] = [];
    pool.onDown(({ name }) => left.push(name));
    ngDouble.isSilent = true;
    await until(() => stateOf(pool, ngDouble).state === 'down', 2_000, 'a ping stays unanswered');
    ngDouble.isSilent = false;
    await until(() => stateOf(pool, ngDouble).state === 'up', 2_000, 'it answers again');
    two.isSilent = true;
    await until(() => left.length > 0, 3_000, 'the silent node is left');
    expect(left).toEqual([nameOf(two)]);
  });

  it('stay there, and new ones come, while it answers others than those that found it silent', async () => {
    const pool = await start({ pingMilliseconds: 20 });
    const calls = Array.from({ length: 8 }, (_, index) => `call-${index}`);
    const opened = await Promise.all(calls.map((id) => pool.open(id, offer)));
    for (const node of [ngDouble, two]) node.unanswered = new Set(['delete']);
    const deleted = await Promise.all(calls.map((id, index) => pool.delete(opened[index]!.node, id, 'a')));
    expect(deleted).toEqual(calls.map(() => undefined));
    expect(pool.states()).toMatchObject([{ state: 'up' }, { state: 'up' }]);
    expect(opened.map(({ node }) => node.losses)).toEqual(calls.map(() => 0));
    await expect(pool.open('call-8', offer)).resolves.toMatchObject({ reply: { result: 'ok' } });
  });

  it('leave it at once when its port is closed', async () => {
    const pool = await start({ pingMilliseconds: 20, silenceMilliseconds: 60_000 });
    const left: string[] = [];
    pool.onDown(({ name }) => left.push(name));
    const name = nameOf(ngDouble);
    await ngDouble.close();
    await until(() => left.length > 0, 2_000, 'the closed node is left');
    expect(left).toEqual([name]);
    ngDouble = await NgDouble.start();
  });
});

describe('a new call', () => {
  it('goes to the nodes by their weight', async () => {
    const pool = await start({ weight: 3 });
    for (let i = 0; i < 8; i++) await pool.open(`call-${i}`, offer);
    expect((await ngDouble.sessions()).length).toBe(6);
    expect((await two.sessions()).length).toBe(2);
  });

  it('takes the other node when the first hangs, within the bound; the deletion is paid when it answers', async () => {
    const pool = await start({ timeoutMilliseconds: 400, pingMilliseconds: 25 });
    ngDouble.isSilent = true;
    const begun = performance.now();
    const { node } = await pool.open('call-1', offer);
    expect(node.name).toBe(nameOf(two));
    expect(performance.now() - begun).toBeLessThan(390);
    expect(pool.owedDeletions).toBe(1);
    await until(() => stateOf(pool, ngDouble).state === 'down', 2_000, 'the ping stays unanswered');
    ngDouble.isSilent = false;
    await until(() => pool.owedDeletions === 0, 2_000, 'the deletion is paid');
    expect(callsOf(ngDouble).at(-1)).toBe('delete call-1');
    expect(stateOf(pool, ngDouble).state).toBe('up');
    expect(await two.sessions()).toEqual(['call-1']);
  });

  it('takes the other node when the first is full, and deletes the first node’s session', async () => {
    const pool = await start({ pingMilliseconds: 25 });
    ngDouble.refusal = { result: 'error', 'error-reason': 'Ran out of ports' };
    const { node } = await pool.open('call-1', offer);
    expect(node.name).toBe(nameOf(two));
    await until(() => pool.owedDeletions === 0, 2_000, 'the deletion is paid');
    expect(await ngDouble.sessions()).toEqual([]);
    expect(stateOf(pool, ngDouble).state).toBe('up');
  });

  it('fails with the reason of the last node when both refuse it', async () => {
    const pool = await start();
    ngDouble.refusal = two.refusal = { result: 'load limit' };
    await expect(pool.open('call-1', offer)).rejects.toThrow(
      new MediaUnavailable(`rtpengine ${nameOf(two)}: load limit`),
    );
    expect(pool.owedDeletions).toBe(2);
  });

  it('is not left on a node whose reply came too late', async () => {
    const pool = await start();
    ngDouble.delayMilliseconds = 150;
    const { node } = await pool.open('call-1', offer);
    expect(node.name).toBe(nameOf(two));
    expect(await ngDouble.sessions()).toEqual(['call-1']);
    ngDouble.delayMilliseconds = 0;
    await until(async () => (await ngDouble.sessions()).length === 0, 2_000, 'the deletion is paid');
  });

  it('survives a lost request and a lost reply: the command is repeated, with the same cookie', async () => {
    const pool = await start({ timeoutMilliseconds: 1_600 });
    ngDouble.lostRequests = 1;
    ngDouble.lostReplies = 1;
    const { node } = await pool.open('call-1', offer);
    expect(node.name).toBe(nameOf(ngDouble));
    expect(callsOf(ngDouble)).toEqual(Array(3).fill('offer call-1'));
    expect(ngDouble.commands()).toEqual(['ping', 'offer']);
    expect(callsOf(two)).toEqual([]);
  });

  it('does not wait for a closed port', async () => {
    const pool = await start({ timeoutMilliseconds: 10_000 });
    await ngDouble.close();
    const begun = performance.now();
    const { node } = await pool.open('call-1', offer);
    expect(node.name).toBe(nameOf(two));
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect(stateOf(pool, ngDouble).state).toBe('down');
  });

  it('sends nothing when it ended before its turn', async () => {
    const pool = await start();
    await expect(pool.open('call-1', offer, { isWanted: () => false })).rejects.toBeInstanceOf(
      MediaUnavailable,
    );
    expect([...callsOf(ngDouble), ...callsOf(two)]).toEqual([]);
  });

  it('is refused at once when no node is up', async () => {
    await Promise.all([ngDouble.close(), two.close()]);
    const pool = await start();
    expect(pool.isUsable).toBe(false);
    await expect(pool.open('call-1', offer)).rejects.toThrow('no rtpengine is up');
    expect(pool.owedDeletions).toBe(0);
  });
});

describe('a call on a node', () => {
  it('stays there when the node hangs: its commands fail, the other node gets none', async () => {
    const pool = await start({ timeoutMilliseconds: 60 });
    const { node } = await pool.open('call-1', offer);
    ngDouble.isSilent = true;
    await expect(pool.command(node, 'offer', 'call-1', offer)).rejects.toBeInstanceOf(MediaUnavailable);
    expect(callsOf(two)).toEqual([]);
  });

  it('gets the reply that refuses a command, and the node stays up', async () => {
    const pool = await start();
    const { node } = await pool.open('call-1', offer);
    expect(await pool.command(node, 'query', 'another call', {})).toMatchObject({
      result: 'error',
      'error-reason': 'Unknown call-id',
    });
    expect(stateOf(pool, ngDouble).state).toBe('up');
  });

  it('is deleted by the tag that the node knows', async () => {
    const pool = await start();
    const { node } = await pool.open('call-1', offer);
    expect(await pool.delete(node, 'call-1', 'a')).toMatchObject({ result: 'ok', tags: {} });
    expect(await ngDouble.sessions()).toEqual([]);
    expect(pool.owedDeletions).toBe(0);
  });

  it('of a node that is down is owed its deletion, without asking the node', async () => {
    const pool = await start({ timeoutMilliseconds: 100, pingMilliseconds: 25 });
    const { node } = await pool.open('call-1', offer);
    ngDouble.isSilent = true;
    await until(() => stateOf(pool, ngDouble).state === 'down', 2_000, 'pings stay unanswered');
    expect(await pool.delete(node, 'call-1', 'a')).toBeUndefined();
    expect(callsOf(ngDouble)).toEqual(['offer call-1']);
    expect(stateOf(pool, ngDouble).owed).toBe(1);
    ngDouble.isSilent = false;
    await until(() => pool.owedDeletions === 0, 2_000, 'the deletion is paid');
    expect(await ngDouble.sessions()).toEqual([]);
  });
});

describe('offers and answers at a node', () => {
  const opus = 'a=rtpmap:96 opus/48000/2\r\na=rtpmap:97 opus/48000/2\r\n';
  const costly = { 'from-tag': 'a', 'to-tag': 'b', sdp: sdp + opus };

  it('are no more at a time than it works off in a moment, and organizations and sources take turns', async () => {
    const pool = await start({ timeoutMilliseconds: 3_000 });
    const node = pool.nodeNamed(nameOf(ngDouble))!;
    const settled: string[] = [];
    const exchange = async (name: string, turn: { group: string; member: string }): Promise<void> => {
      await pool.exchange(node, 'answer', name, costly, turn);
      settled.push(name);
    };
    ngDouble.isSilent = true;
    const flood = Array.from({ length: 60 }, () => exchange('flood', { group: 'acme', member: '192.0.2.1' }));
    const waiting = [
      exchange('source', { group: 'acme', member: '192.0.2.2' }),
      exchange('organization', { group: 'other', member: '192.0.2.1' }),
    ];
    await until(() => ngDouble.received.length >= 21, 2_000, 'the first ones');
    // Each takes 3 of 64 parts; repeats have the cookie of the first.
    const { size } = new Set(
      ngDouble.received.filter(({ command }) => command === 'answer').map(({ cookie }) => cookie),
    );
    expect(size).toBe(21);
    ngDouble.isSilent = false;
    await Promise.all([...flood, ...waiting]);
    expect(settled.indexOf('organization')).toBeLessThan(30);
    expect(settled.indexOf('source')).toBeLessThan(30);
  });

  it('are refused when their turn does not come in time', async () => {
    const pool = await start({ timeoutMilliseconds: 200 });
    const node = pool.nodeNamed(nameOf(ngDouble))!;
    ngDouble.isSilent = true;
    const all = await Promise.allSettled(
      Array.from({ length: 60 }, () => pool.exchange(node, 'answer', 'flood', costly)),
    );
    const reasons = all.map((result) => (result.status === 'rejected' ? String(result.reason) : ''));
    expect(reasons.filter((text) => text.includes('too many offers and answers')).length).toBeGreaterThan(10);
  });
});
