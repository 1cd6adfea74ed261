import { execFileSync } from 'node:child_process';
import { freeNetwork } from './machine.js';
import { TestProcess } from './processes.js';

/** Runs a command to its end; throws with what it said. */
function run(command: string, ...argv: string[]): string {
  try {
    return execFileSync(command, argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`${command} ${argv.join(' ')}: ${(stderr ?? '').trim() || message}`, { cause: error });
  }
}

/**
 * A separate network behind a router that loses UDP datagrams in both directions. Requires the right to create network namespaces,
 * and netem or the statistic match of iptables. The router is a namespace too: datagrams dropped where they are sent would
 * be errors to their sender, and rules of this machine's own are left alone.
 */
export class LossyNamespace {
  private constructor(
    private readonly name: string,
    private readonly router: string,
    /** Of this machine on its side of the router. */
    readonly hostAddress: string,
    /** Of the far side. */
    readonly address: string,
    private readonly countDropped: () => number,
  ) {}

  /** Throws with the reason where the system does not allow it. */
  static create(lossPercent: number): LossyNamespace {
    const number = process.pid % 60_000;
    const [name, router] = [`demarc-far-${number}`, `demarc-way-${number}`];
    const network = freeNetwork('198.18');
    const made: string[] = [];
    try {
      for (const namespace of [router, name]) {
        run('ip', 'netns', 'add', namespace);
        made.push(namespace);
      }
      const [here, near, far, there] = ['h', 'n', 'f', 't'].map((end) => `dl${number}${end}`) as [
        string,
        string,
        string,
        string,
      ];
      run('ip', 'link', 'add', here, 'type', 'veth', 'peer', 'name', near, 'netns', router);
      run('ip', '-n', router, 'link', 'add', far, 'type', 'veth', 'peer', 'name', there, 'netns', name);
      run('ip', 'address', 'add', `${network}.1/30`, 'dev', here);
      run('ip', '-n', router, 'address', 'add', `${network}.2/30`, 'dev', near);
      run('ip', '-n', router, 'address', 'add', `${network}.5/30`, 'dev', far);
      run('ip', '-n', name, 'address', 'add', `${network}.6/30`, 'dev', there);
      run('ip', 'link', 'set', here, 'up');
      for (const device of [near, far, 'lo']) run('ip', '-n', router, 'link', 'set', device, 'up');
      for (const device of [there, 'lo']) run('ip', '-n', name, 'link', 'set', device, 'up');
      run('ip', 'route', 'add', `${network}.4/30`, 'via', `${network}.2`, 'dev', here);
      run('ip', '-n', name, 'route', 'add', 'default', 'via', `${network}.5`);
      run('ip', 'netns', 'exec', router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
      const dropped = lossPercent === 0 ? () => 0 : lose(router, [near, far], lossPercent);
      return new LossyNamespace(name, router, `${network}.1`, `${network}.6`, dropped);
    } catch (error) {
      for (const namespace of made) run('ip', 'netns', 'delete', namespace);
      throw error;
    }
  }

  /** Datagrams lost so far. */
  get dropped(): number {
    return this.countDropped();
  }

  /** The router drops everything in both directions, without a word. */
  cut(): void {
    for (const end of [this.address, this.hostAddress])
      run('ip', '-n', this.router, 'route', 'add', 'blackhole', `${end}/32`);
  }

  mend(): void {
    for (const end of [this.address, this.hostAddress])
      run('ip', '-n', this.router, 'route', 'delete', 'blackhole', `${end}/32`);
  }

  /** A process inside. */
  run(command: string, argv: readonly string[], cwd?: string): TestProcess {
    return new TestProcess('ip', ['netns', 'exec', this.name, command, ...argv], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, TERM: 'dumb' },
    });
  }

  /** Takes the interfaces and the route with it. */
  remove(): void {
    run('ip', 'netns', 'delete', this.name);
    run('ip', 'netns', 'delete', this.router);
  }
}

/** Loss of what the router sends on, or passes on where the kernel has no netem; how to count it. */
function lose(router: string, devices: readonly string[], percent: number): () => number {
  let refusal: string;
  try {
    for (const device of devices) {
      run('tc', '-n', router, 'qdisc', 'add', 'dev', device, 'root', 'netem', 'loss', `${percent}%`);
    }
    return () => count(/dropped (\d+)/g, run('tc', '-n', router, '-s', 'qdisc', 'show'));
  } catch (error) {
    refusal = (error as Error).message;
  }
  const inside = ['netns', 'exec', router, 'iptables'];
  try {
    run(
      'ip',
      ...inside,
      '-A',
      'FORWARD',
      '-p',
      'udp',
      ...['-m', 'statistic', '--mode', 'random'],
      ...['--probability', String(percent / 100), '-j', 'DROP'],
    );
  } catch (error) {
    throw new Error(`${refusal}; ${(error as Error).message}`, { cause: error });
  }
  return () => count(/^\s*(\d+)\s+\d+\s+DROP/gm, run('ip', ...inside, '-L', '-v', '-x', '-n'));
}

const count = (pattern: RegExp, text: string): number =>
  [...text.matchAll(pattern)].reduce((sum, [, number]) => sum + Number(number), 0);
