import type { Redis } from './redis.js';

export interface SubscriberParts {
  readonly redis: Redis;
  /** Of the connection, as Redis shows it. */
  readonly name: string;
  readonly channels: Readonly<Record<string, (message: string) => void>>;
  /** Called after every subscription, including the first: messages published before it are lost. */
  readonly subscribed?: () => void;
}

/** Subscribes to channels on its own connection, and again whenever that was lost. */
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

  /** Detects a dead connection where no message may arrive for a long time. */
  ping(): void {
    if (this.connection?.status === 'ready') this.connection.ping().catch(() => {});
  }

  stop(): void {
    this.stopped = true;
    this.connection?.disconnect();
  }
}
