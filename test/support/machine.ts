import { execFileSync } from 'node:child_process';
import { TestProcess } from './processes.js';

const ip = (...argv: string[]): string =>
  execFileSync('ip', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Several commands by one process: to start each costs more than what it does. @param options before the commands, as `-n` with a namespace */
const ipAll = (commands: readonly (readonly string[])[], ...options: string[]): string =>
  execFileSync('ip', [...options, '-batch', '-'], {
    input: commands.map((words) => words.join(' ')).join('\n'),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  });

/**
 * The first network of a range of the benchmarking addresses (RFC 2544), which are otherwise unused, in which this machine has no address:
 * another test may use the one that this process would begin with, or a killed one may have left it behind.
 * @param range `198.18` or `198.19`
 * @returns its first three octets
 */
export function freeNetwork(range: string): string {
  const used = new Set(
    [...ip('-oneline', 'address').matchAll(/ inet (\d+\.\d+\.\d+)\./g)].map(([, network]) => network),
  );
  for (let offset = 0; offset < 256; offset++) {
    const network = `${range}.${(process.pid + offset) % 256}`;
    if (!used.has(network)) return network;
  }
  throw new Error(`All networks of ${range} are in use.`);
}

/** A network of network namespaces, which act as machines: each has its own loopback and one address, and reaches the others and this process. */
export class MachineNetwork {
  private readonly machines: Machine[] = [];
  private nat: AddressTranslation | undefined;
  /** The machine with the floating address. */
  holderOfAddress: Machine | undefined;
  /** Of this process. */
  readonly hostAddress: string;

  private constructor(
    private readonly bridge: string,
    private readonly number: number,
    private readonly network: string,
    private readonly family: 4 | 6,
  ) {
    this.hostAddress = this.addressOf(1);
  }

  /** From the benchmarking range, or of unique local addresses (RFC 4193). */
  private addressOf(index: number): string {
    return this.family === 4
      ? `${this.network}.${index}`
      : `fd98:19:${this.number.toString(16)}::${index.toString(16)}`;
  }

  /** For `ip address`: without the second in which an IPv6 address is checked for duplicates. */
  private ownedBy(device: string, address: string): string[] {
    const options = this.family === 4 ? [] : ['nodad'];
    return [`${address}/${this.family === 4 ? 24 : 64}`, 'dev', device, ...options];
  }

  /** Why there can be none here; undefined: there can. */
  static refusal(): string | undefined {
    if (process.getuid?.() !== 0) return 'network namespaces require root';
    try {
      MachineNetwork.create().remove();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Throws where the system allows no network namespaces. */
  static create(family: 4 | 6 = 4): MachineNetwork {
    const number = process.pid % 60_000;
    const bridge = `dm${number}`;
    const network = new MachineNetwork(bridge, number, freeNetwork('198.19'), family);
    ipAll([
      ['link', 'add', bridge, 'type', 'bridge'],
      ['address', 'add', ...network.ownedBy(bridge, network.hostAddress)],
      ['link', 'set', bridge, 'up'],
    ]);
    return network;
  }

  add(): Machine {
    const index = this.machines.length + 2;
    const [name, here, there] = [`${this.bridge}-${index}`, `${this.bridge}h${index}`, 'eth0'];
    const address = this.addressOf(index);
    ip('netns', 'add', name);
    const machine = new Machine(name, address, here);
    this.machines.push(machine);
    ipAll([
      ['link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name],
      ['link', 'set', here, 'master', this.bridge, 'up'],
    ]);
    const up = ['lo', there].map((device) => ['link', 'set', device, 'up']);
    ipAll([['address', 'add', ...this.ownedBy(there, address)], ...up], '-n', name);
    return machine;
  }

  /** An address that no machine has yet. */
  get floatingAddress(): string {
    return this.addressOf(200);
  }

  /** Gives the floating address to a machine, from another one if that lives, and says so to this process as gratuitous ARP does. */
  moveAddress(to: Machine, from?: Machine): void {
    const address = `${this.floatingAddress}/24`;
    if (from !== undefined) ip('-n', from.name, 'address', 'delete', address, 'dev', 'eth0');
    ip('-n', to.name, 'address', 'add', address, 'dev', 'eth0');
    this.holderOfAddress = to;
    ip('neighbour', 'flush', 'to', this.floatingAddress, 'dev', this.bridge);
    this.nat?.forget(this.floatingAddress);
  }

  /**
   * An address of this process behind NAT: what it sends from there to the machines has the router's address, and no machine reaches it but over
   * connections that it has opened.
   */
  addTranslation(): AddressTranslation {
    this.nat ??= AddressTranslation.create(this.bridge, this.number, this.addressOf(250));
    return this.nat;
  }

  remove(): void {
    this.nat?.remove();
    ipAll([
      ...this.machines.flatMap(({ name, port }) => [
        // The namespace may live on where another process has a copy of the mounts.
        ['link', 'delete', port],
        ['netns', 'delete', name],
      ]),
      ['link', 'delete', this.bridge],
    ]);
  }
}

/** A router with network address and port translation (RFC 3022) between this process and the machines. */
export class AddressTranslation {
  private constructor(
    private readonly router: string,
    private readonly table: string,
    /** Of this process, behind the router. */
    readonly address: string,
    /** Of the router, from which the machines see what was sent from there. */
    readonly publicAddress: string,
  ) {}

  static create(bridge: string, number: number, publicAddress: string): AddressTranslation {
    const router = `${bridge}-nat`;
    // The half that machines do not have.
    const network = freeNetwork('198.18');
    const [here, near, port, far] = [`${bridge}n`, 'inside', `${bridge}p`, 'outside'];
    const table = String(10_000 + number);
    ip('netns', 'add', router);
    ip('link', 'add', here, 'type', 'veth', 'peer', 'name', near, 'netns', router);
    ip('link', 'add', port, 'type', 'veth', 'peer', 'name', far, 'netns', router);
    ip('link', 'set', port, 'master', bridge, 'up');
    ip('address', 'add', `${network}.1/30`, 'dev', here);
    ip('link', 'set', here, 'up');
    ip('-n', router, 'address', 'add', `${network}.2/30`, 'dev', near);
    ip('-n', router, 'address', 'add', `${publicAddress}/24`, 'dev', far);
    for (const device of ['lo', near, far]) ip('-n', router, 'link', 'set', device, 'up');
    ip('netns', 'exec', router, 'sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
    const rule = ['-t', 'nat', '-A', 'POSTROUTING', '-o', far, '-j', 'MASQUERADE'];
    ip('netns', 'exec', router, 'iptables', ...rule);
    // This process has an address in the machines' network too: by its other one it reaches them through the router alone.
    ip('route', 'add', 'default', 'via', `${network}.2`, 'dev', here, 'table', table);
    ip('rule', 'add', 'from', `${network}.1`, 'table', table);
    return new AddressTranslation(router, table, `${network}.1`, publicAddress);
  }

  /** As after gratuitous ARP of another machine. */
  forget(address: string): void {
    ip('-n', this.router, 'neighbour', 'flush', 'to', address, 'dev', 'outside');
  }

  remove(): void {
    ip('rule', 'delete', 'from', this.address, 'table', this.table);
    ip('netns', 'delete', this.router);
  }
}

export class Machine {
  private readonly running: TestProcess[] = [];
  private readonly rules: (readonly string[])[] = [];

  constructor(
    readonly name: string,
    readonly address: string,
    /** The network's end of its cable. */
    readonly port: string,
  ) {}

  /** A process with process ids of this machine alone. */
  run(
    command: string,
    argv: readonly string[],
    environment: Readonly<Record<string, string | undefined>> = {},
  ): TestProcess {
    const inside = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', command, ...argv];
    const started = new TestProcess('ip', ['netns', 'exec', this.name, ...inside], {
      env: { PATH: process.env.PATH, ...environment },
    });
    this.running.push(started);
    return started;
  }

  /** Loses its network and then its processes, so that none of them can say goodbye. */
  async die(): Promise<void> {
    ip('link', 'set', this.port, 'down');
    await this.stop();
  }

  /** Ends its processes at once. */
  async stop(): Promise<void> {
    const ended = this.running.splice(0);
    for (const each of ended) if (each.isRunning) each.signal('SIGKILL');
    await Promise.all(ended.map((each) => each.exit(5_000)));
  }

  /** True: its interface has that address now. */
  has(address: string): boolean {
    return ip('-n', this.name, '-o', 'address', 'show', 'dev', 'eth0').includes(` ${address}/`);
  }

  /** Drops what it sends and receives for these ports, without a word, until `mend`. */
  cut(protocol: 'tcp' | 'udp', ...ports: number[]): void {
    const match = ['-p', protocol, '-m', 'multiport', '--dports', ports.join(','), '-j', 'DROP'];
    this.drop(['INPUT', ...match], ['OUTPUT', ...match]);
  }

  /** The same, for all between it and another machine. */
  cutFrom({ address }: Machine): void {
    this.drop(['INPUT', '-s', address, '-j', 'DROP'], ['OUTPUT', '-d', address, '-j', 'DROP']);
  }

  mend(): void {
    for (const rule of this.rules.splice(0)) this.change('-D', rule);
  }

  private drop(...rules: (readonly string[])[]): void {
    for (const rule of rules) this.change('-A', rule);
    this.rules.push(...rules);
  }

  private change(how: '-A' | '-D', rule: readonly string[]): void {
    ip('netns', 'exec', this.name, 'iptables', how, ...rule);
  }

  /** Sockets may have addresses that the machine lacks. */
  allowEarlyBinding(): void {
    const path = '/proc/sys/net/ipv4/ip_nonlocal_bind';
    ip('netns', 'exec', this.name, 'sh', '-c', `echo 1 > ${path}`);
  }

  /** What podman joins instead of the host's network. */
  get networkPath(): string {
    return `/run/netns/${this.name}`;
  }

  /** An HTTP request from this machine, for servers on its loopback. */
  async fetch(
    url: string,
    options: { method?: string; key?: string; body?: unknown } = {},
  ): Promise<{ status: number; body: unknown }> {
    // A process that loads `fetch` and a module takes twice the processor time.
    const script = `const { url, body, ...options } = JSON.parse(process.argv[1]);
      const asked = require('node:http').request(url, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => { text += part; });
        answer.on('end', () => console.log(JSON.stringify({ status: answer.statusCode, text })));
      });
      asked.end(body);`;
    const request = {
      url,
      method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    };
    const argv = ['netns', 'exec', this.name, process.execPath, '-e', script];
    const asked = new TestProcess('ip', [...argv, JSON.stringify(request)]);
    if ((await asked.exit(30_000)) !== 0) throw new Error(`${url}: ${asked.output.slice(-500)}`);
    const { status, text } = JSON.parse(asked.output) as { status: number; text: string };
    return { status, body: jsonOf(text) };
  }
}

/** Null: it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
