import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../src/testkit/waiting.js';
import { type AudioLine, AudioSocketServer } from '../support/audio-socket.js';
import { freePort, mediaPorts } from '../support/free-ports.js';
import { ChrootFolder } from '../support/newer-programs.js';
import type { TestProcess } from '../support/processes.js';
import {
  type AsteriskFolders,
  type AsteriskSettings,
  agentSideAddress,
  asteriskConfiguration,
} from './asterisk-configuration.js';

/**
 * Asterisk from Debian's unstable suite: a PBX with Demarc as its trunk, a trunk and a registrar of Demarc, and an agent runtime.
 * Each of its extensions is a line whose sound a test makes and hears:
 * 1xxx answers at once, 2xxx says no more than 100 for 4.5 s before it rings, 3xxx sends digits first;
 * a channel that is sent to 5xxx transfers its call to 1xxx, one at 6xxx to the outside number of 1xxx.
 */
export class Asterisk {
  private process: TestProcess | undefined;

  private constructor(
    readonly ports: { readonly tls: number; readonly agent: number; readonly phones: number },
    private readonly folder: ChrootFolder,
    private readonly sockets: AudioSocketServer,
  ) {}

  /** @param configuration text of each file by its name */
  static async start(
    settings: AsteriskSettings,
    configuration: (
      folders: AsteriskFolders,
    ) => Readonly<Record<string, string | Buffer>> = asteriskConfiguration,
  ): Promise<Asterisk> {
    const folder = ChrootFolder.make('asterisk');
    const ports = {
      tls: await freePort(),
      agent: await freePort(agentSideAddress),
      phones: await freePort(),
    };
    const sockets = await AudioSocketServer.start(await freePort());
    const files = configuration({
      ...settings,
      ports,
      folder: folder.inside,
      modules: modulesOf(folder.root),
      rtpPorts: await mediaPorts(100),
      audioSocketPort: sockets.port,
    });
    for (const [name, content] of Object.entries(files)) folder.write(name, content);
    const asterisk = new Asterisk(ports, folder, sockets);
    try {
      await asterisk.restart();
    } catch (error) {
      await asterisk.stop();
      throw error;
    }
    return asterisk;
  }

  /** Starts it, also again after its end, at the same ports. */
  async restart(): Promise<void> {
    this.process = this.folder.run('asterisk', [
      '-f',
      '-vvv',
      '-C',
      join(this.folder.inside, 'asterisk.conf'),
    ]);
    await until(
      async () => {
        if (this.process?.isRunning !== true) throw new Error(`Asterisk ended:\n${this.output}`);
        return (await this.command('core waitfullybooted')).includes('fully booted');
      },
      20_000,
      () => `Asterisk is up:\n${this.output}`,
    );
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** The last lines of its log. */
  get output(): string {
    return `${this.process?.output.slice(-4_000)}\n${this.folder.read('messages').slice(-8_000)}`;
  }

  /** What the command says. */
  async command(line: string): Promise<string> {
    const client = this.folder.run('asterisk', [
      ...['-C', join(this.folder.inside, 'asterisk.conf')],
      ...['-rx', line],
    ]);
    await client.exit(10_000);
    return client.output;
  }

  /** Calls through an endpoint (`4930100001@trunk`); the extension is connected once the call is answered. */
  async call(endpoint: string, extension: string): Promise<void> {
    await this.command(`channel originate PJSIP/${endpoint} extension ${extension}@calls`);
  }

  /** The next call that an extension has. */
  line(extension: string): Promise<AudioLine> {
    return this.sockets.line(extension);
  }

  /** Sends the channel of that extension to another one. */
  async redirect(extension: string, to: string): Promise<void> {
    const channels = await this.command('core show channels concise');
    const found = channels.split('\n').find((line) => line.split('!')[2] === extension);
    if (found === undefined) throw new Error(`No channel is at ${extension}:\n${channels}`);
    await this.command(`channel redirect ${found.split('!')[0]} calls,${to},1`);
  }

  /**
   * Reconnects an extension in the same call. Where a new source takes over a stream, Debian's Asterisk drops its packets as late
   * while their numbers are below those of the source before; only a new translator forgets those (docs/decisions/new-rtp-source.md).
   */
  async reconnect(extension: string): Promise<AudioLine> {
    await this.redirect(extension, extension);
    return this.line(extension);
  }

  /** As a crash does. */
  async kill(): Promise<void> {
    if (this.process?.isRunning !== true) return;
    this.process.signal('SIGKILL');
    await this.process.exit(5_000);
  }

  async stop(): Promise<void> {
    await this.kill();
    this.sockets.stop();
    this.folder.remove();
  }
}

/** The folder differs with the architecture. */
function modulesOf(root: string): string {
  const triplet = readdirSync(join(root, 'usr/lib')).find((name) => name.endsWith('-linux-gnu'));
  return `/usr/lib/${triplet}/asterisk/modules`;
}
