import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../test/e2e/stack.js';
import { cutOff, isolate, keepSeconds } from './cuts.js';
import type { LaunchedSystem } from './launched-system.js';
import { type MachineSystem, type MachineSystemOptions, ports } from './machine-system.js';

interface Limits {
  readonly name: string;
  /** Of the audio of calls that are not on hold, in milliseconds. */
  readonly longestGap: number;
  /** Until a call that is begun afterwards is answered, in milliseconds. */
  readonly longestNewCall: number;
}

/** One row of the table: what happens to the processes that carry calls. */
export interface StackRow extends Limits {
  readonly rtpengines?: number;
  readonly embedded?: boolean;
  /** The agent is a bot by WebSocket. */
  readonly hasBot?: boolean;
  /** Who would take an INFO is not there. */
  readonly mayRefuseInfo?: boolean;
  readonly prepare?: (stack: Stack) => Promise<unknown>;
  readonly event: (stack: Stack) => Promise<void>;
  /** Before the calls are hung up. */
  readonly after?: (stack: Stack) => Promise<void>;
}

/** The same for all that `npm start` runs, control and PostgreSQL included. */
export interface LaunchedRow extends Limits {
  /** Part of the event that is over when the measurement begins. */
  readonly begin?: (system: LaunchedSystem) => Promise<void>;
  readonly launched: (system: LaunchedSystem) => Promise<void>;
}

/** The same for machines, which are network namespaces: they die with all their processes, without a word. */
export interface MachineRow extends Limits {
  readonly machines: MachineSystemOptions;
  readonly machineEvent: (system: MachineSystem) => Promise<void>;
  /** Until the peer of each call knows where it continues, in milliseconds; absent: it continues where it was. */
  readonly longestSignaling?: number;
}

export type Row = StackRow | LaunchedRow | MachineRow;

/** A packet later than this is heard as a click: what a busy machine adds to nothing. */
const none = 100;
/** Of one process and its way to the others. */
const startUp = 3_000;
/** Of everything, one after the other. */
const startUpOfAll = 15_000;

/** Rows whose calls are answered by a bot: nothing that dies may cost it a call or its stream. */
const botRows = (
  [
    {
      name: 'bot by WebSocket: `kill -9` of its media-stream process, started again',
      longestGap: startUp,
      longestNewCall: startUp,
      mayRefuseInfo: true,
      event: async (stack) => {
        stack.mediaStream!.signal('SIGKILL');
        await stack.mediaStream!.exit(5_000);
        await stack.startMediaStream();
      },
    },
    {
      name: 'bot by WebSocket: `kill -9` of an edge, another one on the same engine',
      longestGap: none,
      // With the handshake of the bot.
      longestNewCall: 1_500,
      prepare: (stack) => withSecondEdge(stack),
      event: async (stack) => stack.loseEdge('SIGKILL'),
    },
    {
      name: 'bot by WebSocket: `kill -9` of the engine, started again',
      longestGap: none,
      longestNewCall: startUp,
      event: restartEngine,
    },
    {
      name: 'bot by WebSocket: `kill -9` of the only rtpengine, started again',
      longestGap: 3_000,
      longestNewCall: 3_000,
      event: restartRtpengine,
    },
    {
      name: 'bot by WebSocket: `kill -9` of Redis, started again',
      longestGap: none,
      longestNewCall: 1_000,
      event: restartRedis,
    },
  ] satisfies StackRow[]
).map((row): StackRow => ({ ...row, hasBot: true }));

/** Which machines a row cuts off; the first one has the calls. */
const places: Readonly<Record<string, readonly number[]>> = {
  'the active one': [0],
  'the other one': [1],
  both: [0, 1],
};

/** How two machines divide addresses. */
const pairs: Readonly<Record<string, Pick<MachineSystemOptions, 'address'>>> = {
  'two machines': {},
  'a machine and its standby': { address: 'floating' },
  'two machines whose sockets have one address': { address: 'floating unwatched' },
};

export const rows: readonly Row[] = [
  {
    name: '`kill -9` of an edge, another one on the same engine',
    longestGap: none,
    longestNewCall: 1_000,
    prepare: (stack) => withSecondEdge(stack),
    event: async (stack) => stack.loseEdge('SIGKILL'),
  },
  {
    name: '`kill -9` of the only edge, started again',
    longestGap: none,
    longestNewCall: startUp,
    event: async (stack) => {
      stack.edge.signal('SIGKILL');
      await stack.startEdge();
    },
  },
  {
    name: 'SIGTERM of an edge, a new one started beside it',
    longestGap: none,
    longestNewCall: 1_000,
    prepare: (stack) => withSecondEdge(stack),
    event: async (stack) => stack.loseEdge('SIGTERM'),
  },
  {
    name: 'SIGTERM of both edges at once, started again by the launcher',
    longestGap: none,
    // Of the drain, which is set to a second here, and the start.
    longestNewCall: startUp + 2_000,
    begin: (system) => system.drainEdges(),
    launched: async (system) => {
      await Promise.all([system.isBack('edge-1'), system.isBack('edge-2')]);
    },
  },
  {
    name: '`kill -9` of the engine, started again',
    longestGap: none,
    longestNewCall: startUp,
    event: restartEngine,
  },
  {
    name: '`kill -9` of the only rtpengine, started again',
    longestGap: 3_000,
    longestNewCall: 3_000,
    event: restartRtpengine,
  },
  {
    name: '`kill -9` of one of two rtpengines',
    longestGap: 3_000,
    longestNewCall: 1_000,
    rtpengines: 2,
    event: async (stack) => stack.rtpengines[0]!.kill(),
    after: async (stack) => stack.rtpengines[0]!.restart(),
  },
  {
    name: '`kill -9` of edge and engine at once, both started again',
    longestGap: none,
    longestNewCall: startUp,
    event: async (stack) => {
      stack.edge.signal('SIGKILL');
      stack.engine!.signal('SIGKILL');
      await Promise.all([stack.edge.exit(5_000), stack.engine!.exit(5_000)]);
      await Promise.all([stack.startEngine(), stack.startEdge()]);
    },
  },
  {
    name: '`kill -9` of engine and rtpengine at once, both started again',
    longestGap: 6_000,
    longestNewCall: startUp,
    event: async (stack) => {
      stack.engine!.signal('SIGKILL');
      await Promise.all([stack.rtpengines[0]!.kill(), stack.engine!.exit(5_000)]);
      await Promise.all([stack.startEngine(), stack.rtpengines[0]!.restart()]);
    },
  },
  {
    name: '`kill -9` of an edge that runs its own engine, started again',
    longestGap: none,
    longestNewCall: startUp,
    embedded: true,
    event: async (stack) => {
      stack.edge.signal('SIGKILL');
      await stack.edge.exit(5_000);
      // Its engine leaves the ports to the next one.
      await sleep(300);
      await stack.startEdge();
    },
  },
  {
    name: '`kill -9` of Redis, started again',
    longestGap: none,
    longestNewCall: 1_000,
    event: restartRedis,
  },
  {
    name: '`kill -9` of PostgreSQL, started again by the launcher',
    longestGap: none,
    longestNewCall: 1_000,
    launched: async (system) => {
      await system.kill('postgres');
      await system.isBack('postgres');
    },
  },
  {
    name: '`kill -9` of control, started again by the launcher',
    longestGap: none,
    longestNewCall: 1_000,
    launched: async (system) => {
      await system.kill('control');
      await system.isBack('control');
    },
  },
  {
    name: '`kill -9` of the launcher, both edges, engine, control, PostgreSQL and Redis at once, `npm start` again',
    longestGap: none,
    longestNewCall: startUpOfAll,
    launched: async (system) => {
      await system.kill();
      await system.up();
    },
  },
  {
    name: 'a machine with engine and edge dies, another one has its own address',
    longestGap: none,
    longestNewCall: 1_000,
    longestSignaling: startUp,
    machines: { hasAllKinds: true },
    machineEvent: (system) => system.machines[0]!.die(),
  },
  {
    name: 'a machine with engine, edge and rtpengine dies, another one has its own address',
    longestGap: 4_000,
    longestNewCall: 1_000,
    longestSignaling: startUp + 1_000,
    machines: { hasAllKinds: true, isMediaOnMachines: true },
    machineEvent: (system) => system.machines[0]!.die(),
  },
  ...(['floating', 'floating early'] as const).map(
    (address): MachineRow => ({
      name: `the address of a dead machine moves to one on standby${address === 'floating' ? '' : ', whose sockets have it already'}`,
      longestGap: none,
      longestNewCall: 1_000,
      machines: { hasAllKinds: true, address },
      machineEvent: async (system) => {
        await system.machines[0]!.die();
        system.moveAddress({ isFromLiving: false });
      },
    }),
  ),
  {
    name: 'the address moves from a machine that lives',
    longestGap: none,
    longestNewCall: 1_000,
    machines: { hasAllKinds: true, address: 'floating' },
    machineEvent: async (system) => system.moveAddress({ isFromLiving: true }),
  },
  ...Object.entries(pairs).flatMap(([pair, address]) =>
    Object.entries(places).map(
      ([place, indexes]): MachineRow => ({
        name: `Redis is cut off for 5, 12 and 40 s, without a reset: ${pair}, ${place}`,
        longestGap: none,
        longestNewCall: 1_000,
        machines: { hasAllKinds: true, staysUp: true, ...address },
        machineEvent: async (system) => {
          const machines = system.machines.filter((_, index) => indexes.includes(index));
          for (const seconds of [5, 12, 40]) await cutOff(system, machines, seconds, 'tcp', ports.redis);
        },
      }),
    ),
  ),
  {
    name: 'a machine loses Redis and the other machine, which takes its calls over, and comes back',
    longestGap: none,
    longestNewCall: 1_000,
    longestSignaling: startUp,
    machines: { hasAllKinds: true, keepSeconds },
    machineEvent: isolate,
  },
  {
    name: 'two machines lose the pings of each other for 12 s',
    longestGap: none,
    longestNewCall: 1_000,
    machines: { hasAllKinds: true, staysUp: true },
    machineEvent: (system) => cutOff(system, system.machines.slice(0, 1), 12, 'udp', ports.ping),
  },
  {
    name: 'keepalived moves the address of a dead machine',
    longestGap: none,
    longestNewCall: 1_000,
    machines: { hasAllKinds: true, address: 'keepalived' },
    machineEvent: async (system) => {
      await system.machines[0]!.die();
      await system.addressMoved();
    },
  },
  {
    name: 'all processes replaced: `npm start -- --replace`',
    longestGap: none,
    longestNewCall: 1_000,
    launched: (system) => system.replace(),
  },
  ...botRows,
];

async function restartEngine(stack: Stack): Promise<void> {
  stack.engine!.signal('SIGKILL');
  await stack.startEngine();
}

async function restartRtpengine(stack: Stack): Promise<void> {
  await stack.rtpengines[0]!.kill();
  await stack.rtpengines[0]!.restart();
}

async function restartRedis(stack: Stack): Promise<void> {
  await stack.redis.kill();
  await sleep(1_000);
  await stack.redis.up();
}

/** The calls are begun at the first edge; the second one is there, as after a deploy, when it goes. */
async function withSecondEdge(stack: Stack): Promise<void> {
  await stack.startFurtherEdge('e2e-2');
}
