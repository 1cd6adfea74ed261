import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Part, type PartContext, preferredNiceness, until } from '../part.js';

export interface RedisFacts {
  /** URL with the password; also for `redis-cli -u`. */
  readonly url: string;
  readonly port: number;
}

/**
 * A private Redis on loopback, with a random password and its data in the state directory.
 * Every write is on disk within a second, because call records wait there for control.
 */
export async function redisPart({ directory, facts }: PartContext): Promise<Part<RedisFacts>> {
  const port = await facts.port('redis');
  const password = facts.secret('redis');
  const file = join(directory.redis, 'redis.conf');
  // A file instead of arguments, because every user of the machine can read a command line.
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir "${directory.redis}"`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'daemonize no',
    'databases 16',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return {
    // With a user name, because redis-cli sends an empty one when it is absent.
    facts: { url: `redis://default:${password}@127.0.0.1:${port}`, port },
    plan: {
      name: 'redis',
      file: 'redis-server',
      args: [file],
      isolated: true,
      niceness: preferredNiceness,
      answers: () => answersPing(port, password),
      ready: ({ signal }) => until(() => answersPing(port, password), signal),
      // Loading a large append-only file takes time.
      readyWithinMilliseconds: 60_000,
      graceMilliseconds: 5_000,
    },
  };
}

function answersPing(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let answer = '';
    const finish = (yes: boolean): void => {
      socket.destroy();
      resolve(yes);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    socket.on('connect', () => socket.write(`AUTH ${password}\r\nPING\r\n`));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (answer.includes('+PONG')) finish(true);
      else if (/^-(?!LOADING)/m.test(answer)) finish(false);
    });
  });
}
