import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { EdgePings, noOtherEdges } from '../../../../src/edge/survival/edge-pings.js';
import { until } from '../../../../src/testkit/waiting.js';
import { stays } from '../../../support/stays.js';

const host = '127.0.0.1';
const log = pino({ level: 'silent' });

const all: EdgePings[] = [];
afterEach(() => {
  for (const pings of all.splice(0)) pings.stop();
});

function edge(holder: string, fellSilent: () => void = () => {}): EdgePings {
  const pings = new EdgePings(holder, fellSilent, log);
  all.push(pings);
  return pings;
}

/** An edge that answers pings. */
async function answering(holder = 'other') {
  const pings = edge(holder);
  expect(await pings.listen({ host, port: 0 })).toBe(true);
  return { pings, address: pings.address! };
}

const becomes = (pings: EdgePings, state: string) =>
  until(
    () => pings.stateOf('other') === state,
    20_000,
    () => `${state}, but it is ${pings.stateOf('other')}`,
  );

it('finds that an edge answers, and falls silent when it no longer does', async () => {
  let isMute = false;
  const socket = createSocket('udp4', (packet, from) => {
    const [, holder, token] = packet.toString().split('\n');
    if (!isMute && holder === 'other') socket.send(`demarc-pong\n${token}`, from.port, from.address);
  });
  socket.bind(0, host);
  await once(socket, 'listening');
  const fellSilent = vi.fn();
  const pings = edge('own', fellSilent);
  pings.watch(new Map([['other', { host, port: socket.address().port }]]));
  expect(pings.stateOf('other')).toBe('unknown');
  await becomes(pings, 'answers');
  expect(pings.counts).toEqual({ ...noOtherEdges, answers: 1 });
  expect(fellSilent).not.toHaveBeenCalled();
  isMute = true;
  await becomes(pings, 'silent');
  expect(fellSilent).toHaveBeenCalledTimes(1);
  isMute = false;
  await becomes(pings, 'answers');
  socket.close();
});

it('takes no answer to another ping than the last', async () => {
  const socket = createSocket('udp4', (_packet, from) => {
    socket.send('demarc-pong\nanother token', from.port, from.address);
  });
  socket.bind(0, host);
  await once(socket, 'listening');
  const pings = edge('own');
  pings.watch(new Map([['other', { host, port: socket.address().port }]]));
  await stays(() => expect(pings.stateOf('other')).toBe('unknown'), 1_000);
  socket.close();
});

it('finds that a machine is there without its edge', async () => {
  const { pings: peer, address } = await answering();
  peer.stop();
  const pings = edge('own');
  pings.watch(new Map([['other', address]]));
  await becomes(pings, 'refuses');
  expect(pings.counts).toEqual({ ...noOtherEdges, refuses: 1 });
});

it('gets no answer from an edge of another name, and proves nothing by it', async () => {
  const { address } = await answering('another');
  const fellSilent = vi.fn();
  const pings = edge('own', fellSilent);
  pings.watch(new Map([['other', address]]));
  await stays(() => expect(pings.stateOf('other')).toBe('unknown'), 1_500);
  expect(fellSilent).not.toHaveBeenCalled();
});

it('watches the edges that it is asked to, and no others', async () => {
  const { address } = await answering();
  const pings = edge('own');
  pings.watch(new Map([['other', address]]));
  await becomes(pings, 'answers');
  pings.watch(new Map([['other', { ...address }]]));
  expect(pings.stateOf('other')).toBe('answers');
  pings.watch(new Map([['other', { ...address, port: 1 }]]));
  expect(pings.stateOf('other')).toBe('unknown');
  pings.watch(new Map([['other', address]]));
  await becomes(pings, 'answers');
  pings.watch(new Map());
  expect(pings.stateOf('other')).toBe('unknown');
  expect(pings.counts).toEqual(noOtherEdges);
});

it('answers at one address at a time, and says so when it cannot', async () => {
  const { pings, address } = await answering();
  expect(await pings.listen({ host, port: 1 })).toBe(true);
  expect(pings.address).toEqual(address);
  const taken = edge('third');
  expect(await taken.listen({ host, port: address.port })).toBe(false);
  expect(taken.address).toBeUndefined();
  expect(await taken.listen({ host, port: 0 })).toBe(true);
  pings.stop();
  expect(pings.address).toBeUndefined();
});
