import type { Redis } from './redis.js';

export interface SubscriberParts {
  readonly redis: Redis;
  /** Of the connection, as Redis shows it. */
  readonly name: string;
  readonly channels: Readonly<Record<string, (message: string) => void>>;
  /** Called after every subscription, including the first: messages published before it are lost. */
  readonly subscribed?: () => void;
  /** Called when subscribing failed; it is tried again. */
  readonly failed?: (error: Error) => void;
}

/** Subscribes to channels on its own connection, and again whenever that was lost. */
export class Subscriber {
  private connection: Redis | undefined;
  private isStopped = false;
  private hasChannels = false;

  constructor(private readonly parts: SubscriberParts) {}

  /** False: messages are being lost. */
  get isSubscribed(): boolean {
    return this.hasChannels;
  }

  start(): void {
    const { redis, name, channels } = this.parts;
    const connection = redis.duplicate({ connectionName: name });
    this.connection = connection;
    connection.on('error', () => {});
    connection.on('close', () => {
      this.hasChannels = false;
    });
    connection.on('ready', () => void this.subscribe(connection));
    connection.on('message', (channel: string, message: string) => channels[channel]?.(message));
  }

  /** Detects a dead connection where no message may arrive for a long time. */
  ping(): void {
    if (!this.hasChannels) return;
    this.connection?.ping().catch(() => this.reconnect());
  }

  stop(): void {
    this.isStopped = true;
    this.hasChannels = false;
    this.connection?.disconnect();
  }

  private async subscribe(connection: Redis): Promise<void> {
    try {
      await connection.subscribe(...Object.keys(this.parts.channels));
    } catch (error) {
      if (!this.isStopped) this.parts.failed?.(error as Error);
      this.reconnect();
      return;
    }
    if (this.isStopped) return;
    this.hasChannels = true;
    this.parts.subscribed?.();
  }

  private reconnect(): void {
    if (!this.isStopped) this.connection?.disconnect(true);
  }
}
