import { report } from './console.js';
import { isEdge } from './supervisor.js';
import type { System } from './system.js';

/** Longer than any call rings: an edge that leaves waits for the calls that are not answered yet. */
const leaveMilliseconds = 310_000;

/**
 * Replaces processes one after another while calls continue: edges hand their answered calls over and let the others be answered
 * or end; the engine's dialogs are restored by the edges; control serves no call.
 */
export async function replaceProcesses(system: System, names: readonly string[]): Promise<void> {
  const { supervisor, spareEdge, roles } = system;
  const processRoles = names.filter((name) => roles.includes(name));
  const restarted = names.filter((name) => !roles.includes(name));
  if (restarted.length > 0)
    report(`Their settings have changed; only a restart applies them: ${restarted.join(', ')}`);
  // The engine first: edges that are started connect to the new one, and the others when they have no call in between.
  if (processRoles.includes('engine')) await supervisor.succeed('engine');
  const edges = processRoles.includes('engine') ? system.edges : processRoles.filter(isEdge);
  if (edges.length > 0) {
    await supervisor.run(spareEdge);
    if (processRoles.includes('engine')) {
      await system.whenConnected(system.edges.length + 1);
      report('Replaced engine; the former one ends with its last connection.');
    }
    for (const name of edges) {
      await supervisor.replace(name, 'SIGUSR2', leaveMilliseconds);
      report(`Replaced ${name}.`);
    }
    await supervisor.end(spareEdge.name, 'SIGUSR2', leaveMilliseconds);
  }
  if (processRoles.includes('media-stream')) {
    // Its calls continue in the next process, after half a second without audio.
    await supervisor.replace('media-stream', 'SIGUSR2');
    report('Replaced media-stream.');
  }
  if (processRoles.includes('control')) {
    await supervisor.renew('control');
    report('Replaced control.');
  }
  if (processRoles.length > 0) report('Replaced all processes.');
}
