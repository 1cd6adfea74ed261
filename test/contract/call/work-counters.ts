import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { Socket } from 'node:net';
import pg from 'pg';
import { traceFrameType } from '../../../src/hep/trace-frame.js';
import { RedisMonitor } from '../../support/redis-monitor.js';
import type { CallBench } from './bench.js';

/** How often each kind of work was done; besides the kinds with a budget, single statements and commands for the report. */
export type Work = Record<string, number>;

/** Frames of the edge that are sent so as well. */
const recurringFrames: ReadonlySet<string> = new Set(['handshakes', 'alive']);

/** A write of one of them alone. */
const isFrameAtInterval = (data: unknown): boolean =>
  (typeof data === 'string' || Buffer.isBuffer(data)) &&
  /^\d+#[^|]+\|(?:handshakes|alive)\b/.test(String(data));

/** Functions of the edge, by the end of their file's name; each call of one is one piece of work. */
const countedFunctions = {
  'SIP messages read by the edge': { file: 'drachtio-srf/lib/sip-parser/parser', name: 'parseMessage' },
  'session descriptions read by the edge': { file: '/sdp/sdp', name: 'readSession' },
} as const;

/** Sent at intervals, whether there are calls or not. */
const recurring: ReadonlySet<string> = new Set([
  ...['ping', 'evalsha', 'eval', 'xread', 'xreadgroup', 'xautoclaim', 'exists', 'scan', 'hscan', 'mget'],
]);

/**
 * Counts work, not time, so that a slow machine gives the same figures: writes, frames, parsed messages, commands. The edge and
 * control run in this process; V8 itself counts the calls of their functions.
 */
export class WorkCounters {
  private counted: Work = {};
  private readonly lastTotals: Work = {};
  private readonly inspector = new Session();
  private readonly restore: (() => void)[] = [];
  private monitor: RedisMonitor | undefined;
  private owners = new Map<string, string>();
  /** Identifiers of recurring commands whose response is not read yet. */
  private readonly asked = new Set<string>();

  private constructor(private readonly bench: CallBench) {}

  static async start(bench: CallBench): Promise<WorkCounters> {
    const counters = new WorkCounters(bench);
    counters.inspector.connect();
    await counters.inspector.post('Profiler.enable');
    await counters.inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    counters.countFrames();
    counters.countSocketWrites();
    counters.countStatements();
    await counters.countRedisCommands();
    return counters;
  }

  /** The work since the last call of this. */
  async take(): Promise<Work> {
    await this.countFunctions();
    for (const [name, value] of Object.entries(await this.totals())) {
      this.counted[name] = value - (this.lastTotals[name] ?? value);
      this.lastTotals[name] = value;
    }
    const work = this.counted;
    this.counted = {};
    return work;
  }

  async stop(): Promise<void> {
    for (const undo of this.restore.toReversed()) undo();
    this.monitor?.close();
    await this.inspector.post('Profiler.stopPreciseCoverage');
    this.inspector.disconnect();
  }

  private add(name: string, count = 1): void {
    this.counted[name] = (this.counted[name] ?? 0) + count;
  }

  private countFrames(): void {
    const { link } = this.bench;
    const counters = { near: new FrameReader(), far: new FrameReader() };
    link.onData = (from, chunk) => {
      const direction =
        from === 'near' ? 'frames from the edge to the engine' : 'frames from the engine to the edge';
      for (const frame of counters[from].read(chunk)) {
        const leader = frame.split('\r\n', 1)[0]!;
        // Copies for the trace wait until another frame leaves, so their number depends on the time.
        if (leader.endsWith(`|${traceFrameType}`)) this.add('trace frames');
        else this.add(this.isRecurring(leader) ? 'frames at intervals' : direction);
      }
    };
    this.restore.push(() => {
      link.onData = undefined;
    });
  }

  /** Whether there are calls or not, the edge shows that it is alive, and asks for failed TLS handshakes. */
  private isRecurring(leader: string): boolean {
    const [id = '', kind = '', repliesTo = ''] = leader.split('|');
    const isAsked = recurringFrames.has(kind);
    if (isAsked) this.asked.add(id);
    return isAsked || (kind === 'response' && this.asked.delete(repliesTo));
  }

  /** One call of this method of Node's is one system call, whatever the number of chunks. */
  private countSocketWrites(): void {
    const prototype = Socket.prototype as unknown as { _writeGeneric: (...args: unknown[]) => unknown };
    const original = prototype._writeGeneric;
    const counters = this;
    prototype._writeGeneric = function (this: Socket, ...args: unknown[]) {
      if (this.remotePort === counters.bench.link.port && !isFrameAtInterval(args[1]))
        counters.add('writes of the edge to the engine');
      return original.apply(this, args);
    };
    this.restore.push(() => {
      prototype._writeGeneric = original;
    });
  }

  private countStatements(): void {
    type Query = { text?: string } | string;
    const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
    const original = prototype.query;
    const counters = this;
    prototype.query = function (...args: unknown[]) {
      const query = args[0] as Query;
      const text = typeof query === 'string' ? query : (query.text ?? '');
      counters.add('SQL statements');
      counters.add(`SQL ${text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)}`);
      return original.apply(this, args);
    };
    this.restore.push(() => {
      prototype.query = original;
    });
  }

  private async countRedisCommands(): Promise<void> {
    const { redis, server } = this.bench;
    const list = (await redis.client('LIST')) as string;
    this.owners = new Map(
      list
        .split('\n')
        .map((line) => [/addr=(\S+)/.exec(line)?.[1] ?? '', /name=(\S*)/.exec(line)?.[1] ?? ''] as const),
    );
    this.monitor = await RedisMonitor.open(server.port, ([command = ''], client) => {
      const owner = this.owners.get(client) ?? client;
      this.add(`Redis ${owner} ${command}`);
      if (recurring.has(command)) return;
      if (owner.startsWith('demarc-edge')) this.add('Redis commands of the edge');
      else if (owner.startsWith('demarc-control')) this.add('Redis commands of control');
    });
  }

  private async countFunctions(): Promise<void> {
    const { result } = await this.inspector.post('Profiler.takePreciseCoverage');
    for (const [title, { file, name }] of Object.entries(countedFunctions)) {
      const scripts = result.filter(({ url }) => new RegExp(`${file}\\.(ts|js)`).test(url));
      const found = scripts.flatMap(({ functions }) =>
        functions.filter((coverage) => coverage.functionName === name),
      );
      this.counted[title] = found.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
    }
  }

  /** What other processes count, since their start. */
  private async totals(): Promise<Work> {
    const { engine, edge } = this.bench;
    const page = await (await fetch(`${edge.httpUrl}/metrics`)).text();
    const commands = [...page.matchAll(/^demarc_rtpengine_command_duration_seconds_count\{(.*)\} (\d+)$/gm)]
      .filter(([, labels]) => !labels!.includes('command="ping"'))
      .reduce((sum, [, , count]) => sum + Number(count), 0);
    const figure = (file: string, title: string): number =>
      Number(new RegExp(`^${title}:\\s+(\\d+)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1]);
    const { pid } = engine;
    return {
      'rtpengine commands': commands,
      // Each write(2) or writev(2), and how often the main thread had nothing to do (proc(5)).
      'writes of the engine': figure(`/proc/${pid}/io`, 'syscw'),
      'waits of the engine': figure(`/proc/${pid}/task/${pid}/status`, 'voluntary_ctxt_switches'),
    };
  }
}

/** Reads frames `LENGTH "#" PAYLOAD`, where LENGTH is in octets. */
class FrameReader {
  private unread: Buffer = Buffer.alloc(0);

  /** The payloads of the frames that the chunk completes. */
  read(chunk: Buffer): string[] {
    this.unread = Buffer.concat([this.unread, chunk]);
    const payloads: string[] = [];
    for (;;) {
      const start = this.unread.indexOf('#') + 1;
      const end = start + Number(this.unread.toString('latin1', 0, Math.max(0, start - 1)));
      if (start === 0 || this.unread.length < end) return payloads;
      payloads.push(this.unread.toString('latin1', start, end));
      this.unread = this.unread.subarray(end);
    }
  }
}
