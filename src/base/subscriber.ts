import type { Redis } from './redis.js';

export interface SubscriberParts {
  readonly redis: Redis;
  /** Of the connection, as Redis shows it. */
  readonly name: string;
  readonly channels: Readonly<Record<string, (message: string) => void>>;
  /** Called after every subscription, the first one too: what was told before it was not heard. */
  readonly subscribed?: () => void;
}

/** Hears channels on a connection of its own, and subscribes anew whenever that was lost. */
export class Subscriber {
  private connection: Redis | undefined;
  private stopped = false;

  constructor(private readonly parts: SubscriberParts) {}

  start(): void {
    const { redis, name, channels, subscribed } = this.parts;
    const connection = redis.duplicate({ autoResubscribe: false, connectionName: name });
    this.connection = connection;
    connection.on('error', () => {});
    connection.on('ready', () => {
      connection.subscribe(...Object.keys(channels)).then(
        () => subscribed?.(),
        () => {
          if (!this.stopped) connection.disconnect(true);
        },
      );
    });
    connection.on('message', (channel: string, message: string) => channels[channel]?.(message));
  }

  /** Finds out whether the connection still lives, where nothing may be told for long. */
  ping(): void {
    if (this.connection?.status === 'ready') this.connection.ping().catch(() => {});
  }

  stop(): void {
    this.stopped = true;
    this.connection?.disconnect();
  }
}
