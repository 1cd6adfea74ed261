import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * What every client sends to a Redis, as words. Reads the plain protocol: ioredis loses count of its replies when the first lines of
 * MONITOR come in the same segment as its OK.
 */
export class RedisMonitor {
  private constructor(private readonly socket: Socket) {}

  /**
   * Resolves when every later command is seen.
   * @param seen gets a command's words, and the `host:port` of its client, or `lua` for a command of a script
   */
  static async open(
    port: number,
    seen: (words: readonly string[], client: string) => void,
  ): Promise<RedisMonitor> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const lines = createInterface({ input: socket });
    socket.write('MONITOR\r\n');
    await once(lines, 'line');
    lines.on('line', (line) => {
      const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word!);
      if (words.length > 0) seen(words, /\[\d+ ([^\]]+)\]/.exec(line)?.[1] ?? '');
    });
    return new RedisMonitor(socket);
  }

  close(): void {
    this.socket.destroy();
  }
}
