import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freePorts } from '../../test/support/free-ports.js';
import { Children, until } from './children.js';
import type { Metered } from './cpu.js';
import type { DemarcSystem } from './demarc-system.js';

/** Further edges on the system's engine, with the settings of its first one; all of them appear as `edge`. */
export class FurtherEdges {
  private readonly children: Children;
  private readonly running: Metered[] = [];

  constructor(
    private readonly system: DemarcSystem,
    private readonly program: { readonly node: string; readonly file: string; readonly directory: string },
  ) {
    this.children = new Children(program.directory);
  }

  get processes(): readonly Metered[] {
    return this.running;
  }

  async start(): Promise<void> {
    const { node, file, directory } = this.program;
    const name = `edge-${this.running.length + 2}`;
    const state = join(directory, name);
    mkdirSync(state, { recursive: true });
    const [port] = await freePorts(1);
    const pid = this.children.start(name, node, [file, 'edge'], {
      ...environmentOf(this.system.processes().find((process) => process.name === 'edge')!.pid),
      NODE_CHANNEL_FD: undefined,
      DEMARC_EDGE_ID: name,
      DEMARC_STATE_DIR: state,
      DEMARC_HTTP_PORT: String(port),
      DEMARC_HEP_LISTEN: '127.0.0.1:0',
    });
    this.running.push({ name: 'edge', pid });
    await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, name, 60_000);
  }

  stop(): Promise<void> {
    return this.children.stop();
  }
}

/** The environment that a process was started with (proc(5)). */
export const environmentOf = (pid: number): NodeJS.ProcessEnv =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((entry) => entry.includes('='))
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );

const listSchema = z.object({ data: z.object({ calls: z.array(z.object({ call_id: z.string() })) }) });
const callSchema = z.object({ data: z.object({ trace: z.array(z.unknown()) }) });

/** The share of the latest calls whose record has a trace. */
export async function tracedShare({ api }: DemarcSystem, calls = 40): Promise<number> {
  const get = async (path: string): Promise<unknown> =>
    (await fetch(api.url + path, { headers: { authorization: `Bearer ${api.apiKey}` } })).json();
  const list = listSchema.parse(await get(`/v1/sip/calls?limit=${calls}`)).data.calls;
  let traced = 0;
  for (const { call_id } of list) {
    if (callSchema.parse(await get(`/v1/sip/calls/${call_id}`)).data.trace.length > 0) traced += 1;
  }
  return traced / list.length;
}
