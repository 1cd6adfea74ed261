import { connect, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/**
 * For vitest's `setupFiles`: in `npm test` a file begins when the machine has room for it (`dev/gate/room.mjs`), which it leaves at its end.
 * The socket belongs to the worker: a file that cannot be loaded has no end.
 */
const worker = globalThis as { demarcRoom?: Socket };
const address = process.env.DEMARC_TEST_ROOM;

if (address !== undefined) {
  worker.demarcRoom?.destroy();
  worker.demarcRoom = await enter(address);
  afterAll(() => {
    worker.demarcRoom?.destroy();
  });
}

/** Where no run listens any more, the file begins. */
async function enter(path: string): Promise<Socket> {
  const socket = connect(path);
  await new Promise<void>((resolve) => {
    socket.once('data', () => resolve());
    socket.once('close', () => resolve());
    socket.on('error', () => undefined);
  });
  return socket.unref();
}
