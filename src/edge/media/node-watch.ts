import { PacedTask } from '../../base/paced-task.js';
import type { NgReply } from './ng-client.js';
import type { MediaNode, RtpenginePool } from './rtpengine-pool.js';

/** What the watch needs of a media session. */
export interface AnchoredMedia {
  readonly nodeName: string | null;
  readonly isNodeDown: boolean;
  readonly mayBeLost: boolean;
  readonly isUnsettled: boolean;
  readonly hasKnownDescriptions: boolean;
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
/** Questions at once to a node about its sessions: thousands of them would fill its socket, and its silence look like its death. */
const atOnce = 50;
/**
 * Each lost session costs re-INVITEs to both parties: 400 calls a second move, about half of what an engine carries, so that new
 * calls and the answers of these have time.
 */
const moves = { atOnce: 20, everyMilliseconds: 50 } as const;

/** Finds the sessions that a node has lost, by its death or by a restart, within about half a second, and has them moved at a bounded rate. */
export class NodeWatch {
  private readonly watched = new Set<Watched>();
  /** By node: sessions that it is still to be asked about. */
  private readonly doubtful = new Map<string, Set<Watched>>();
  /** Lost sessions whose calls are still to be moved, with the cause. */
  private readonly lost = new Map<Watched, string>();
  private readonly moving = new PacedTask(() => this.moveSome(), moves.everyMilliseconds);
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
    if (media.isUnsettled)
      this.report(
        entry,
        media.hasKnownDescriptions
          ? 'the call is at another address now'
          : 'a side has a description from before',
      );
    else if (media.isNodeDown) this.report(entry, 'rtpengine was down when the call was answered');
    else if (media.nodeName !== null) this.doubt(media.nodeName, [entry]);
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
      const entries = byNode.get(nodeName);
      if (entries === undefined) byNode.set(nodeName, [entry]);
      else entries.push(entry);
    }
    this.turn++;
    await Promise.all(
      [...byNode].map(async ([name, entries]) => {
        if (this.doubtful.has(name) || (await this.check(entries[this.turn % entries.length]!))) return;
        this.doubt(name, this.at(name));
      }),
    );
  }

  /** The node is asked about these sessions, some at a time. */
  private doubt(name: string, entries: readonly Watched[]): void {
    const asked = this.doubtful.get(name);
    if (asked === undefined) {
      this.doubtful.set(name, new Set(entries));
      void this.askAbout(name);
    } else for (const entry of entries) asked.add(entry);
  }

  private async askAbout(name: string): Promise<void> {
    const entries = this.doubtful.get(name)!;
    while (entries.size > 0) {
      const some = [...entries].slice(0, atOnce);
      for (const entry of some) entries.delete(entry);
      await Promise.all(some.map((entry) => this.check(entry)));
    }
    this.doubtful.delete(name);
  }

  /** False: the node does not have it. */
  private async check(entry: Watched): Promise<boolean> {
    if (!this.watched.has(entry)) return true;
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
    this.lost.set(entry, cause);
    this.moving.request();
  }

  private moveSome(): void {
    for (const [entry, cause] of [...this.lost].slice(0, moves.atOnce)) {
      // The end of one call may end the watch of another.
      if (this.lost.delete(entry)) entry.lost(cause);
    }
    if (this.lost.size > 0) this.moving.request();
  }

  private forget(entry: Watched): void {
    this.lost.delete(entry);
    this.watched.delete(entry);
    if (this.watched.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
