import type { Socket } from 'node:net';

/**
 * How long an ACK waits for another frame. The answer for the caller follows the ACK to the agent as soon as rtpengine has replied,
 * and an agent that has answered waits for neither.
 */
const acknowledgementMilliseconds = 5;

/**
 * Makes a socket send what is written to it within one turn of the event loop in one system call. drachtio-srf writes frame by
 * frame, and system calls are most of the edge's CPU time per call.
 * @param joinsAcks an ACK leaves with the next frame, or after `patience` milliseconds
 */
export function batchWrites(
  socket: Socket,
  joinsAcks: boolean,
  patience = acknowledgementMilliseconds,
): void {
  const write = socket.write;
  let isHeld = false;
  let isLeaving = false;
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => {
    clearTimeout(timer);
    timer = undefined;
    isHeld = false;
    isLeaving = false;
    socket.uncork();
  };
  const leave = (isPatient: boolean): void => {
    if (isLeaving) return;
    if (isPatient) timer ??= setTimeout(release, patience);
    else {
      isLeaving = true;
      setImmediate(release);
    }
  };
  const batched = (...parameters: Parameters<typeof write>): boolean => {
    if (!isHeld) {
      isHeld = true;
      socket.cork();
    }
    leave(joinsAcks && isAck(parameters[0]));
    return write.apply(socket, parameters);
  };
  socket.write = batched as typeof socket.write;
}

const isAck = (frame: unknown): boolean =>
  typeof frame === 'string' && frame.startsWith('ACK ', frame.indexOf('\r\n') + 2);
