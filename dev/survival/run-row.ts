import { Stack } from '../../test/e2e/stack.js';
import { BotSystem } from './bot-system.js';
import { HeldCalls, type Mix, type Outcome } from './held-calls.js';
import { LaunchedSystem } from './launched-system.js';
import { furtherKinds, MachineSystem, machinesRefusal } from './machine-system.js';
import type { LaunchedRow, MachineRow, Row, StackRow } from './rows.js';
import { StackSystem } from './stack-system.js';

/** Why the row cannot be run here; undefined: it can. */
export const refusalOf = (row: Row): string | undefined =>
  'machines' in row ? machinesRefusal(row.machines) : undefined;

/** Two on hold, two ordered, one being transferred. */
const mixOf = (count: number): Mix => ({ inbound: count - 5, held: 2, outbound: 2, transferred: 1 });

/** What becomes of so many held calls (7 at least) when that happens. */
export async function runRow(row: Row, count: number): Promise<Outcome> {
  if ('machines' in row) return runMachines(row, count);
  return 'launched' in row ? runLaunched(row, count) : runStack(row, count);
}

async function runStack(row: StackRow, count: number): Promise<Outcome> {
  const stack = await Stack.start({
    embedded: row.embedded === true,
    rtpengines: row.rtpengines ?? 1,
    edge: { DEMARC_PRIVATE_NETWORKS: '127.0.0.0/8' },
  });
  let bot: BotSystem | undefined;
  try {
    if (row.hasBot === true) bot = await BotSystem.start(stack);
    const calls = await HeldCalls.establish(bot ?? new StackSystem(stack), mixOf(count));
    await row.prepare?.(stack);
    return await calls.survive(
      () => row.event(stack),
      async () => row.after?.(stack),
    );
  } finally {
    await stack.stop();
    await bot?.stop();
  }
}

async function runLaunched(row: LaunchedRow, count: number): Promise<Outcome> {
  const system = await LaunchedSystem.start({ DEMARC_DRAIN_SECONDS: '1' });
  try {
    const calls = await HeldCalls.establish(system, mixOf(count));
    await row.begin?.(system);
    return await calls.survive(() => row.launched(system));
  } finally {
    await system.stop();
  }
}

async function runMachines(row: MachineRow, count: number): Promise<Outcome> {
  const system = await MachineSystem.start(row.machines);
  try {
    const further = row.machines.hasAllKinds === true ? furtherKinds : 0;
    const calls = await HeldCalls.establish(system, mixOf(count - further));
    await system.startOthers();
    const began = performance.now();
    const outcome = await calls.survive(() => row.machineEvent(system));
    // The address may come long after the event.
    const isMoved = system.movedAt > began;
    return isMoved ? { ...outcome, newCall: began + outcome.newCall - system.movedAt } : outcome;
  } finally {
    await system.stop();
  }
}

/** Lost calls, and what took longer than the row allows. */
export function problemsOf(row: Row, outcome: Outcome): string[] {
  const { up, gap, newCall, signaling = 0, records, calls, problems } = outcome;
  const longestSignaling = 'machines' in row ? (row.longestSignaling ?? 0) : 0;
  return [
    ...(up < calls ? [`${calls - up} calls were lost`] : []),
    ...late('the gap', gap, row.longestGap),
    ...late('a new call', newCall, row.longestNewCall),
    ...late('signaling', signaling, longestSignaling),
    ...(records < calls ? [`${calls - records} records are missing or incomplete`] : []),
    ...problems.filter((problem) => !('mayRefuseInfo' in row && problem === 'INFO: 503')),
  ];
}

const late = (what: string, took: number, most: number): string[] =>
  took > most ? [`${what} took ${Math.round(took)} ms, and may take ${most} ms`] : [];
