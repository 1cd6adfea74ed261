import type { Socket } from 'node:net';

/**
 * Makes a socket send what is written to it within one turn of the event loop in one system call. drachtio-srf writes frame by
 * frame, and system calls are most of the edge's CPU time per call.
 */
export function batchWrites(socket: Socket): void {
  const write = socket.write;
  let isHeld = false;
  const batched = (...parameters: Parameters<typeof write>): boolean => {
    if (!isHeld) {
      isHeld = true;
      socket.cork();
      setImmediate(() => {
        isHeld = false;
        socket.uncork();
      });
    }
    return write.apply(socket, parameters);
  };
  socket.write = batched as typeof socket.write;
}
