import type { Socket } from 'node:net';
import { limitedFrame } from './frame-limit.js';

/**
 * How long an ACK waits for another frame. The answer for the caller follows the ACK to the agent as soon as rtpengine has replied,
 * and an agent that has answered waits for neither.
 */
const acknowledgementMilliseconds = 5;

/**
 * Sends the frames of one turn of the event loop in one system call: system calls are most of the edge's CPU time per call, and
 * drachtio-srf writes frame by frame.
 */
export class FrameWriter {
  /** True: an ACK leaves with the next frame, or after `patience` milliseconds. */
  joinsAcks = false;
  /** True: the engine is a drachtio-server, whose connection a long frame makes unusable. */
  isLimited = false;
  private isHeld = false;
  private isLeaving = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param dropped called for a frame that is too long for a drachtio-server, and was not sent */
  constructor(
    private readonly socket: Socket,
    private readonly dropped: (octets: number) => void,
    private readonly patience = acknowledgementMilliseconds,
  ) {}

  write(frame: string): void {
    const limited = this.isLimited ? limitedFrame(frame, this.dropped) : frame;
    if (limited === undefined) return;
    if (!this.isHeld) {
      this.isHeld = true;
      this.socket.cork();
    }
    this.leave(this.joinsAcks && isAck(limited));
    this.socket.write(limited);
  }

  private leave(isPatient: boolean): void {
    if (this.isLeaving) return;
    if (isPatient) this.timer ??= setTimeout(this.release, this.patience);
    else {
      this.isLeaving = true;
      setImmediate(this.release);
    }
  }

  private readonly release = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isHeld = false;
    this.isLeaving = false;
    this.socket.uncork();
  };
}

const isAck = (frame: string): boolean => frame.startsWith('ACK ', frame.indexOf('\r\n') + 2);
