import { setTimeout as sleep } from 'node:timers/promises';
import { searchCleanRate } from './clean-rate.js';
import { memoryOf } from './cpu.js';
import { measureGenerator } from './generator-check.js';
import { measureGrowth } from './growth.js';
import { measureHeldCalls } from './held-calls.js';
import { measureIdleConnections } from './idle-connections.js';
import type { Options } from './options.js';
import { startPeer } from './peer-system.js';
import { type AfterLoad, type Report, readCheckedIn } from './report.js';
import { Session } from './session.js';
import { measureStep, refuseStarved, type Setting } from './step.js';
import {
  cleanLine,
  connectionsLine,
  growthLine,
  heldLine,
  memoryLine,
  overloadLine,
  ratioLines,
  stepLine,
} from './table.js';

type Figures = Omit<Report, 'version' | 'at' | 'machine' | 'command'>;

/** Calls that show what fresh processes cost. */
const coldCalls = 1_000;
const secondsAfterLoad = 60;

/** One run: every measurement that was asked for, one after the other, each printed as it ends. */
export class Run {
  readonly figures: Figures = {
    systems: [],
    generator: [],
    cold: [],
    steps: [],
    cleanRates: [],
    held: [],
    afterLoad: [],
    connections: [],
    growth: [],
  };
  private readonly session: Session;
  private readonly idle = new Map<string, AfterLoad['idle']>();

  constructor(
    private readonly options: Options,
    private readonly setting: Setting,
    private readonly print: (line: string) => void,
  ) {
    this.session = new Session(setting, options);
  }

  async measure(): Promise<void> {
    const { options } = this;
    try {
      await this.checkGenerator();
      await this.startSystems();
      await this.warmUp();
      // First, because what heavier loads leave in the heaps would hide what a held call takes.
      if (options.held !== undefined) await this.measureHeld(options.held);
      await this.measureRates();
      if (options.connections !== undefined) await this.measureConnections(options.connections);
      if (options.clean) await this.searchCleanRates();
      if (options.peers) await this.waitAfterLoad();
      if (options.growth) await this.measureGrowth();
    } finally {
      await this.stop();
    }
  }

  /** Ends every process that the run has started but the callers, who end with their calls. */
  stop(): Promise<void> {
    return this.session.stop();
  }

  private async checkGenerator(): Promise<void> {
    const { rates, holdMilliseconds } = this.options;
    for (const callsPerSecond of rates) {
      const calls = await measureGenerator(this.setting, { callsPerSecond, seconds: 4, holdMilliseconds });
      this.figures.generator.push(calls);
      const { ringing, setup } = calls;
      this.print(
        `generator against itself ${callsPerSecond}/s: to 180 ${ringing.p50.toFixed(1)}/${ringing.p99.toFixed(1)} ms, ` +
          `to 200 ${setup.p50.toFixed(1)}/${setup.p99.toFixed(1)} ms (p50/p99)`,
      );
    }
  }

  private async startSystems(): Promise<void> {
    const { clones, peers, drachtio, node } = this.options;
    for (const [i, clone] of clones.entries()) {
      await this.session.addClone(i === 0 ? 'demarc' : `system ${i + 1}`, clone);
    }
    if (drachtio !== undefined) {
      const running = { node, nodeOptions: [] };
      await this.session.add('drachtio', running, (plan) => startPeer(plan, drachtio));
    }
    for (const system of this.session.systems) {
      const { name, description } = system;
      this.figures.systems.push({ name, description });
      this.idle.set(name, Object.fromEntries(memoryOf(system.processes())));
      this.print(`${name}: ${description}`);
    }
    if (peers && drachtio === undefined) this.reportCheckedIn();
  }

  /** Without a drachtio-server on this machine the comparison is the one of docs/performance.md. */
  private reportCheckedIn(): void {
    const { at, steps } = readCheckedIn();
    this.figures.peerMissing = `no drachtio-server (--drachtio FILE); ratios of ${at.slice(0, 10)} are in docs/performance.md`;
    this.print(`Not compared: ${this.figures.peerMissing}:`);
    for (const line of ratioLines(steps)) this.print(`  ${line}`);
  }

  private async warmUp(): Promise<void> {
    const { session, setting, options, figures } = this;
    if (options.peers) {
      for (const system of session.systems) {
        const load = { callsPerSecond: 100, seconds: coldCalls / 100, holdMilliseconds: 1_000 };
        const step = await measureStep(setting, system, load);
        figures.cold.push(step);
        this.print(`cold ${stepLine(step, undefined)}`);
      }
    }
    const rest = options.warm - (options.peers ? coldCalls : 0);
    for (const system of session.systems) if (rest > 0) await session.warmUp(system, rest);
  }

  private async measureRates(): Promise<void> {
    const { rates, rounds, seconds, holdMilliseconds, overload } = this.options;
    const { steps, generator } = this.figures;
    for (const [i, callsPerSecond] of rates.entries()) {
      for (let round = 0; round < rounds; round++) {
        for (const system of this.session.systems) {
          const load = { callsPerSecond, seconds, holdMilliseconds };
          const step = await measureStep(this.setting, system, load);
          steps.push(step);
          this.print(overload ? overloadLine(step, seconds) : stepLine(step, generator[i]));
          refuseStarved(step);
        }
      }
    }
    for (const line of ratioLines(steps)) this.print(line);
  }

  private async measureHeld(calls: number): Promise<void> {
    const plan = { calls, callsPerSecond: Math.max(50, calls / 50), observeSeconds: 20, stepSeconds: 5 };
    for (const held of await measureHeldCalls(this.setting, this.session.systems, plan)) {
      this.figures.held.push(held);
      this.print(heldLine(held));
    }
  }

  private async measureConnections(count: number): Promise<void> {
    for (const system of this.session.systems) {
      const connections = await measureIdleConnections(this.setting, system, count);
      this.figures.connections.push(connections);
      this.print(connectionsLine(connections));
    }
  }

  /** On separate systems, so that the others stop first. */
  private async measureGrowth(): Promise<void> {
    const { session, options, figures } = this;
    for (const system of [...session.systems]) await session.remove(system);
    const clone = options.clones[0]!;
    await measureGrowth(session, clone, (growth) => {
      figures.growth.push(growth);
      this.print(growthLine(growth));
    });
  }

  private async searchCleanRates(): Promise<void> {
    const { holdMilliseconds } = this.options;
    const plan = { from: 400, by: 100, to: 1_600, seconds: 5, holdMilliseconds };
    for (const system of this.session.systems) {
      const found = await searchCleanRate(this.setting, system, plan, (calls) => {
        const { callsPerSecond, sentPerSecond, failed, refused, setup } = calls;
        this.print(
          `  ${system.name} ${callsPerSecond}/s: sent ${sentPerSecond.toFixed(0)}/s, failed ${failed + refused}, ` +
            `p99 to 200 ${setup.p99.toFixed(0)} ms`,
        );
      });
      this.figures.cleanRates.push(found);
      this.print(cleanLine(found));
    }
    const highest = Math.max(...this.figures.cleanRates.map(({ clean }) => clean));
    if (highest > 0) {
      await measureGenerator(this.setting, { callsPerSecond: highest, seconds: 4, holdMilliseconds });
    }
  }

  private async waitAfterLoad(): Promise<void> {
    const { systems } = this.session;
    const measured = systems.map((system) => memoryOf(system.processes()));
    await sleep(secondsAfterLoad * 1_000);
    for (const [i, system] of systems.entries()) {
      const afterLoad = {
        system: system.name,
        secondsAfter: secondsAfterLoad,
        idle: this.idle.get(system.name)!,
        atEnd: Object.fromEntries(measured[i]!),
        after: Object.fromEntries(memoryOf(system.processes())),
      };
      this.figures.afterLoad.push(afterLoad);
      this.print(memoryLine(afterLoad));
    }
  }
}
