import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { EdgePings } from '../../../src/edge/survival/edge-pings.js';
import { until } from '../../../src/testkit/waiting.js';
import { stays } from '../../support/stays.js';

const log = pino({ level: 'silent' });
const loopback = { host: '127.0.0.1', port: 0 };
const started: EdgePings[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const pings of started.splice(0)) pings.stop();
  for (const socket of sockets.splice(0)) socket.close();
});

function edge(holder: string, fellSilent = () => {}): EdgePings {
  const pings = new EdgePings(holder, fellSilent, log);
  started.push(pings);
  return pings;
}

/** A socket that answers pings for that holder, until `isSilent`. */
async function answering(holder: string): Promise<{ port: number; isSilent: boolean }> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const state = { port: socket.address().port, isSilent: false };
  socket.on('message', (packet, from) => {
    const [, named, token] = packet.toString().split('\n');
    if (named === holder && !state.isSilent) socket.send(`demarc-pong\n${token}`, from.port, from.address);
  });
  return state;
}

const stateIs = (pings: EdgePings, holder: string, state: string) =>
  until(
    () => pings.stateOf(holder) === state,
    10_000,
    () => `${state}, not ${pings.stateOf(holder)}`,
  );

it('answers those that know its name', async () => {
  const [watcher, peer] = [edge('one 1'), edge('other 2')];
  await watcher.listen(loopback);
  peer.watch(new Map([['one 1', watcher.address!]]));
  await stateIs(peer, 'one 1', 'answers');
  peer.watch(new Map([['one 9', watcher.address!]]));
  await stays(() => expect(peer.stateOf('one 9')).toBe('unknown'), 1_500);
});

it('reports once that an edge has fallen silent', async () => {
  const answerer = await answering('one 1');
  let reports = 0;
  const pings = edge('two 2', () => reports++);
  pings.watch(new Map([['one 1', { host: '127.0.0.1', port: answerer.port }]]));
  await stateIs(pings, 'one 1', 'answers');
  answerer.isSilent = true;
  await stateIs(pings, 'one 1', 'silent');
  await stays(() => expect(reports).toBe(1), 700);
  answerer.isSilent = false;
  await stateIs(pings, 'one 1', 'answers');
});

it('learns that a machine is there without its edge', async () => {
  const [watcher, peer] = [edge('one 1'), edge('other 2')];
  await watcher.listen(loopback);
  const address = watcher.address!;
  peer.watch(new Map([['one 1', address]]));
  await stateIs(peer, 'one 1', 'answers');
  watcher.stop();
  await stateIs(peer, 'one 1', 'refuses');
});

it('takes the silence of an edge that has never answered for no evidence', async () => {
  const answerer = await answering('nobody');
  const pings = edge('two 2');
  pings.watch(new Map([['one 1', { host: '127.0.0.1', port: answerer.port }]]));
  await stays(() => expect(pings.stateOf('one 1')).toBe('unknown'), 1_500);
});

it('does not answer at an address that this machine lacks', async () => {
  const pings = edge('one 1');
  expect(await pings.listen({ host: '192.0.2.1', port: 0 })).toBe(false);
  expect(pings.address).toBeUndefined();
});
