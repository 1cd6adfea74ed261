import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '../../src/testkit/sip-peer.js';
import { until } from '../../src/testkit/waiting.js';
import { freePort } from './free-ports.js';
import { TestProcess } from './processes.js';

export interface SippOptions {
  /** Path of the scenario file. */
  readonly scenario: string;
  readonly transport: 'udp' | 'tcp';
  /** Textual changes made to a copy of the scenario, in order. */
  readonly adaptions?: readonly (readonly [RegExp, string])[];
  /** Where a calling scenario calls; absent: it waits to be called. */
  readonly target?: Address;
  /** SIPp gives up after this many seconds; default 45. */
  readonly seconds?: number;
}

/** A busy machine may need most of it. */
const defaultSeconds = 45;

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** Whether this machine has a socket bound to that port (TCP: listening). */
function isBound(transport: 'udp' | 'tcp', port: number): boolean {
  const table = readFileSync(`/proc/net/${transport}`, 'latin1');
  const state = transport === 'tcp' ? ' 00000000:0000 0A' : '';
  return table.includes(`0100007F:${hex(port)}${state}`) || table.includes(`00000000:${hex(port)}${state}`);
}

/** SIPp 3.6 takes a `>` inside an attribute for the end of the element. */
function escaped(text: string): string {
  return text.replace(/regexp="([^"]*)"/g, (_whole, pattern: string) => {
    return `regexp="${pattern.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`;
  });
}

/** SIPp 3.6 refuses scenarios with a variable that is set and never read: name them all as read. */
function withReferences(text: string): string {
  const variables = new Set([...text.matchAll(/assign_to="(\w+)"/g)].map(([, name]) => name));
  if (variables.size === 0) return text;
  return text.replace('</scenario>', `<Reference variables="${[...variables].join(',')}"/>\n</scenario>`);
}

/** One run of one SIPp scenario with one call, on loopback. */
export class Sipp {
  private constructor(
    private readonly process: TestProcess,
    private readonly directory: string,
    readonly port: number,
    private readonly options: SippOptions,
  ) {}

  /** Starts SIPp; retries if another process took one of its ports. */
  static async start(options: SippOptions): Promise<Sipp> {
    for (let attempt = 1; ; attempt++) {
      const sipp = await Sipp.launch(options);
      if (sipp.process.isRunning || !/Address already in use/.test(sipp.errors()) || attempt === 3)
        return sipp;
      await sipp.stop();
    }
  }

  private static async launch(options: SippOptions): Promise<Sipp> {
    const directory = mkdtempSync(join(tmpdir(), 'demarc-sipp-'));
    const file = join(directory, 'scenario.xml');
    let text = readFileSync(options.scenario, 'latin1');
    for (const [pattern, replacement] of options.adaptions ?? []) text = text.replace(pattern, replacement);
    writeFileSync(file, withReferences(escaped(text)), 'latin1');
    const port = await freePort();
    const control = await freePort();
    const seconds = options.seconds ?? defaultSeconds;
    const argv = [
      ...['-sf', file, '-t', options.transport === 'udp' ? 'u1' : 't1', '-m', '1', '-nostdin'],
      ...['-i', '127.0.0.1', '-p', String(port), '-bind_local', '-ci', '127.0.0.1', '-cp', String(control)],
      ...['-timeout', `${seconds}s`, '-timeout_error', '-trace_err', '-error_file', `${directory}/errors`],
      ...['-cid_str', `%u-${port}-%p@%s`],
      ...(options.target === undefined ? [] : [`${options.target.host}:${options.target.port}`]),
    ];
    const process = new TestProcess('sipp', argv, {
      cwd: directory,
      env: { ...globalThis.process.env, TERM: 'dumb' },
    });
    const sipp = new Sipp(process, directory, port, options);
    const isCalled = options.target === undefined;
    await until(
      () => !process.isRunning || (isCalled ? isBound(options.transport, port) : isBound('udp', control)),
      5_000,
      () => `SIPp bound\n${sipp.errors()}`,
    );
    if (isCalled && !process.isRunning && !/Address already in use/.test(sipp.errors())) {
      throw new Error(`SIPp ended at once.\n${sipp.errors()}`);
    }
    return sipp;
  }

  /** A URI at which the scenario is reached. */
  get uri(): string {
    return `sip:127.0.0.1:${this.port}${this.options.transport === 'tcp' ? ';transport=tcp' : ''}`;
  }

  /** Resolves when the scenario has come to its end as written; rejects with what SIPp says otherwise. */
  async succeeded(): Promise<void> {
    const seconds = this.options.seconds ?? defaultSeconds;
    const code = await this.process.exit((seconds + 5) * 1_000);
    if (code !== 0) {
      throw new Error(`SIPp ended with ${code} in ${this.options.scenario}.\n${this.errors()}`);
    }
  }

  async stop(): Promise<void> {
    await this.process.stop(1_000);
    rmSync(this.directory, { recursive: true, force: true });
  }

  private errors(): string {
    let file = '';
    try {
      file = readFileSync(join(this.directory, 'errors'), 'latin1').slice(0, 3_000);
    } catch {
      // SIPp writes the file only when it has something to say.
    }
    return `${file}\n${this.process.output.slice(-1_500)}`;
  }
}
