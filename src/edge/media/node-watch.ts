import type { NgReply } from './ng-client.js';
import type { MediaNode, RtpenginePool } from './rtpengine-pool.js';

/** What the watch needs of a media session. */
export interface AnchoredMedia {
  readonly nodeName: string | null;
  readonly isNodeDown: boolean;
  readonly mayBeLost: boolean;
  readonly isUnsettled: boolean;
  noteFound(): void;
  /** Undefined: the session is over. */
  count(): Promise<NgReply | undefined>;
}

interface Watched {
  readonly media: AnchoredMedia;
  /** Called once at most, in a later turn. */
  readonly lost: (cause: string) => void;
}

/** A node that was restarted between two pings has lost its sessions, which one question about one of them shows. */
const askMilliseconds = 500;
/** Questions at once about the sessions of a node that has lost one. */
const atOnce = 50;

/** Finds the sessions that a node has lost, by its death or by a restart, within about half a second. */
export class NodeWatch {
  private readonly watched = new Set<Watched>();
  private timer: NodeJS.Timeout | undefined;
  private turn = 0;

  constructor(pool: Pick<RtpenginePool, 'onDown'>) {
    pool.onDown((node) => this.wentDown(node));
  }

  get size(): number {
    return this.watched.size;
  }

  /** Starts the watch; the returned function ends it. */
  watch(media: AnchoredMedia, lost: (cause: string) => void): () => void {
    const entry: Watched = { media, lost };
    this.watched.add(entry);
    this.timer ??= setInterval(() => void this.ask(), askMilliseconds).unref();
    if (media.isUnsettled || media.isNodeDown || media.mayBeLost) setImmediate(() => this.begin(entry));
    return () => this.forget(entry);
  }

  private begin(entry: Watched): void {
    const { media } = entry;
    if (media.isUnsettled) this.report(entry, 'a side has a description from before');
    else if (media.isNodeDown) this.report(entry, 'rtpengine was down when the call was answered');
    else void this.check(entry);
  }

  private wentDown({ name }: MediaNode): void {
    for (const entry of this.at(name)) this.report(entry, `rtpengine ${name} is down`);
  }

  /** One session of each node, another one each time. */
  private async ask(): Promise<void> {
    const byNode = new Map<string, Watched[]>();
    for (const entry of this.watched) {
      const { nodeName } = entry.media;
      if (nodeName === null) continue;
      const others = byNode.get(nodeName);
      if (others === undefined) byNode.set(nodeName, [entry]);
      else others.push(entry);
    }
    this.turn++;
    await Promise.all(
      [...byNode].map(async ([name, entries]) => {
        if (await this.check(entries[this.turn % entries.length]!)) return;
        const rest = this.at(name);
        for (let at = 0; at < rest.length; at += atOnce)
          await Promise.all(rest.slice(at, at + atOnce).map((entry) => this.check(entry)));
      }),
    );
  }

  /** False: the node does not have it. */
  private async check(entry: Watched): Promise<boolean> {
    const reply = await entry.media.count().catch(() => undefined);
    // No answer: the pool finds out what that means.
    if (reply === undefined || !this.watched.has(entry)) return true;
    if (reply.result === 'ok') {
      entry.media.noteFound();
      return true;
    }
    this.report(entry, `rtpengine: ${reply['error-reason'] ?? reply.result}`);
    return false;
  }

  private at(name: string): Watched[] {
    return [...this.watched].filter(({ media }) => media.nodeName === name);
  }

  private report(entry: Watched, cause: string): void {
    if (!this.watched.has(entry)) return;
    this.forget(entry);
    entry.lost(cause);
  }

  private forget(entry: Watched): void {
    this.watched.delete(entry);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
