import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../test/support/free-ports.js';
import { Children, portAccepts } from './children.js';
import { type DemarcSystem, startDemarc } from './demarc-system.js';
import { runLoad } from './load.js';
import type { CloneOptions, Options } from './options.js';
import { agentArguments, sippProgram } from './sipp.js';
import { GeneratorUnusable, type Setting } from './step.js';
import type { SystemPlan, SystemUnderTest } from './system-under-test.js';

/** Systems that run at the same time need separate ports. A call takes four media ports: the first system can hold 6,900. */
const portRanges = [
  { mediaPorts: { low: 33_000, high: 60_999 }, privatePorts: { low: 30_000, high: 30_499 } },
  { mediaPorts: { low: 10_000, high: 19_999 }, privatePorts: { low: 30_500, high: 30_999 } },
  { mediaPorts: { low: 21_000, high: 29_999 }, privatePorts: { low: 31_000, high: 31_499 } },
  { mediaPorts: { low: 61_000, high: 65_000 }, privatePorts: { low: 31_500, high: 31_999 } },
] as const;

/** Cold processes are slower; a higher rate would fill their queues. */
const warmUpRate = 100;

/** Systems under test with their agents, from start to end. */
export class Session {
  readonly systems: SystemUnderTest[] = [];
  private readonly agents: Children;

  constructor(
    readonly setting: Setting,
    private readonly options: Options,
  ) {
    this.agents = new Children(setting.directory, { cores: setting.generatorCore?.toString() });
  }

  /**
   * Load shedding is off except with `--overload`: it would refuse calls while cold processes warm up, and distort the cost per call.
   * @param name as in tables
   */
  async addClone(name: string, clone: CloneOptions): Promise<SystemUnderTest> {
    return this.add(name, clone, (plan) => this.startClone(plan, clone));
  }

  startClone(plan: SystemPlan, { directory }: CloneOptions): Promise<DemarcSystem> {
    return startDemarc(plan, directory, this.options.overload ? {} : { DEMARC_SETUP_DELAY_MS: '0' });
  }

  /** Starts a system with its own agent and makes it take its first calls. */
  async add<System extends SystemUnderTest>(
    name: string,
    { node, nodeOptions }: Pick<SystemPlan, 'node' | 'nodeOptions'>,
    start: (plan: SystemPlan) => Promise<System>,
  ): Promise<System> {
    const ranges = portRanges[this.systems.length];
    if (ranges === undefined) throw new Error(`At most ${portRanges.length} systems run at the same time.`);
    const { setting, options } = this;
    const directory = join(setting.directory, name.replaceAll(/\W+/g, '-'));
    mkdirSync(directory, { recursive: true });
    const [agentPort, controlPort] = await freePorts(2);
    const [sipp, ...first] = sippProgram();
    this.agents.start(`agent of ${name}`, sipp, [...first, ...agentArguments(agentPort!, controlPort!)]);
    await portAccepts(agentPort!);
    const { profile } = options;
    const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
    const system = await start({
      name,
      directory,
      agentPort: agentPort!,
      keys: setting.keys,
      cores: options.cores,
      storageCore: options.storageApart ? setting.generatorCore : undefined,
      node,
      ...ranges,
      nodeOptions: [...nodeOptions, ...profiling],
    });
    this.systems.push(system);
    return system;
  }

  /** Stops one system before the others. */
  async remove(system: SystemUnderTest): Promise<void> {
    this.systems.splice(this.systems.indexOf(system), 1);
    await system.stop();
  }

  /** Unmeasured calls, so that V8 has compiled what a call needs. */
  async warmUp({ target, number, name }: SystemUnderTest, calls: number): Promise<void> {
    const { directory, keys, generatorCore: core } = this.setting;
    const callsPerSecond = Math.min(warmUpRate, calls);
    const load = { callsPerSecond, seconds: calls / callsPerSecond, holdMilliseconds: 200 };
    const { succeeded, refused } = await runLoad({ directory, keys, core, target, number, load });
    if (succeeded < 0.9 * calls) {
      throw new GeneratorUnusable(
        `${name} answered ${succeeded} of ${calls} warm-up calls and refused ${refused}: the machine is too busy, or --keep and see its logs.`,
      );
    }
  }

  async stop(): Promise<void> {
    for (const system of this.systems.toReversed()) await system.stop();
    await this.agents.stop();
  }
}
