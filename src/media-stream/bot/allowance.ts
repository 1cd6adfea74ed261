/** Octets that are read of one bot in each interval: 3.2 MB a second, 60 times what 24 kHz in real time need. */
const octetsAtOnce = 64 * 1_024;
export const intervalMilliseconds = 20;
/** 120 s of audio in pieces of 20 ms, sent at once, are 6,000 messages. */
const messagesPerSecond = 10_000;

/** What one bot may send. More octets wait in its own connection, so that other calls have their turn; a flood of messages ends it. */
export class Allowance {
  private intervalEnds = 0;
  private octets = 0;
  private secondEnds = 0;
  private messages = 0;

  /** Counts a message. `wait`: nothing more is to be read in this interval. @param now monotonic milliseconds */
  take(octets: number, now: number): 'read' | 'wait' | 'end' {
    if (now >= this.secondEnds) {
      this.secondEnds = now + 1_000;
      this.messages = 0;
    }
    if (now >= this.intervalEnds) {
      this.intervalEnds = now + intervalMilliseconds;
      this.octets = 0;
    }
    this.octets += octets;
    if (++this.messages > messagesPerSecond) return 'end';
    return this.octets > octetsAtOnce ? 'wait' : 'read';
  }
}
