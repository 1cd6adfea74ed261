import { readdir, readFile } from 'node:fs/promises';
import { NgClient, type NgCommand, type NgReply } from '../../../src/edge/media/ng-client.js';
import { optionsOfRelease } from '../../../src/launcher/parts/rtpengine-release.js';
import { until } from '../../../src/testkit/waiting.js';
import { freePort, mediaPorts } from '../../support/free-ports.js';
import { newerPrograms, withoutNewerPrograms } from '../../support/newer-programs.js';
import { TestProcess } from '../../support/processes.js';

/** Releases that Demarc supports: this system's, and that of Debian's unstable suite. `missing`: why tests with it are skipped. */
export const releases = [
  { release: '10.5', root: undefined, missing: undefined },
  {
    release: '26',
    root: 'root' in newerPrograms ? newerPrograms.root : undefined,
    missing: withoutNewerPrograms,
  },
] as const;

/** For what takes long: this system's release alone, unless DEMARC_TEST_RELEASES=all asks for both. */
export const testedReleases = process.env.DEMARC_TEST_RELEASES === 'all' ? releases : releases.slice(0, 1);

/** A private rtpengine on loopback that can be ended and started again at the same ports. */
export class RtpengineProcess {
  private process: TestProcess | undefined;
  private client: NgClient | undefined;

  private constructor(
    readonly port: number,
    /** First and last port of media. */
    readonly rtpPorts: readonly [number, number],
    /** Has the program instead of this system. */
    private readonly chroot: string | undefined,
  ) {}

  /**
   * @param rtpPorts how many it has, or the first and the last; a call takes four
   * @param chroot root directory of another release whose rtpengine is taken
   */
  static async start(
    rtpPorts: number | readonly [number, number] = 400,
    chroot?: string,
  ): Promise<RtpengineProcess> {
    const ports = typeof rtpPorts === 'number' ? await mediaPorts(rtpPorts) : rtpPorts;
    const rtpengine = new RtpengineProcess(await freePort(), ports, chroot);
    await rtpengine.restart();
    return rtpengine;
  }

  get host(): string {
    return '127.0.0.1';
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  get isRunning(): boolean {
    return this.process?.isRunning ?? false;
  }

  /** What it logged since its last start. */
  get output(): string {
    return this.process?.output ?? '';
  }

  async restart(): Promise<void> {
    await this.kill();
    const [command, ...prefix] = this.chroot === undefined ? [] : ['chroot', this.chroot, 'rtpengine'];
    this.process = new TestProcess(command ?? 'rtpengine', [
      ...prefix,
      '--config-file=none',
      '--foreground',
      '--log-stderr',
      '--log-level=5',
      '--table=-1',
      '--mos=LQ',
      '--offer-timeout=60',
      '--num-threads=2',
      ...optionsOfRelease(this.chroot === undefined ? undefined : 26),
      '--interface=127.0.0.1',
      `--listen-ng=127.0.0.1:${this.port}`,
      `--port-min=${this.rtpPorts[0]}`,
      `--port-max=${this.rtpPorts[1]}`,
    ]);
    await until(
      async () => {
        try {
          return (await this.command('ping', {}, 200)).result === 'pong';
        } catch {
          return false;
        }
      },
      20_000,
      () => `rtpengine answers: ${this.process?.output}`,
    );
  }

  /** As a crash does. */
  async kill(): Promise<void> {
    if (this.process?.isRunning !== true) return;
    this.process.signal('SIGKILL');
    await this.process.exit(2_000);
  }

  /** Stops it from answering without ending it; resolves once all its threads stand still. */
  async freeze(): Promise<void> {
    const { pid } = this;
    this.process?.signal('SIGSTOP');
    await until(
      async () => {
        const threads = await readdir(`/proc/${pid}/task`);
        const stats = await Promise.all(
          threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
        );
        // The state follows the command's name, which stands in parentheses.
        return stats.every((stat) => stat.slice(stat.lastIndexOf(')') + 2).startsWith('T'));
      },
      2_000,
      'rtpengine stands still',
    );
  }

  thaw(): void {
    this.process?.signal('SIGCONT');
  }

  async command(command: NgCommand | 'list', parameters: object, milliseconds = 2_000): Promise<NgReply> {
    this.client ??= await NgClient.open('127.0.0.1', this.port);
    return this.client.command(command as NgCommand, parameters, milliseconds);
  }

  /** Call-IDs of the sessions it holds. */
  async sessions(): Promise<string[]> {
    const reply = (await this.command('list', { limit: '1000' })) as NgReply & { calls?: string[] };
    return reply.calls ?? [];
  }

  async stop(): Promise<void> {
    this.client?.close();
    this.thaw();
    await this.kill();
  }
}
