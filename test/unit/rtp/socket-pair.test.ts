import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { openSocketPair } from '../../../src/rtp/socket-pair.js';

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

it('keeps its ports when its peer moves to another address', async () => {
  const { rtp, rtcp } = await openSocketPair('127.0.0.1');
  open.push(rtp, rtcp);
  const { port } = rtp.address();
  expect(port % 2).toBe(0);
  expect(rtcp.address().port).toBe(port + 1);
  for (let move = 0; move < 3; move++) {
    const peer = createSocket('udp4');
    open.push(peer);
    peer.bind(0, '127.0.0.1');
    await once(peer, 'listening');
    if (move > 0) rtp.disconnect();
    rtp.connect(peer.address().port, '127.0.0.1');
    await once(rtp, 'connect');
    expect(rtp.address().port).toBe(port);
    const received = once(rtp, 'message');
    peer.send('audio', port, '127.0.0.1');
    expect(String((await received)[0])).toBe('audio');
  }
});
