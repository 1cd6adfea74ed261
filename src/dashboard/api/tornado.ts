import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import { type Listed, pageOf } from './runs.js';

export type TornadoProgress = api.TornadoProgress;
export type TornadoIteration = api.TornadoIteration;

interface TornadoOrder {
  readonly pathwayId: string;
  readonly iterations: number;
  readonly minutes: number;
}

/** Throws `ApiFailure` 409 while a session of the pathway is active. */
export const startTornado = ({
  pathwayId,
  iterations,
  minutes,
}: TornadoOrder): Promise<api.StartTornadoAnswer['data']> =>
  ask(
    demarc.startTornado({
      pathway_id: pathwayId,
      max_iterations: iterations,
      timeout_ms: minutes * 60_000,
    }),
  );

/** Throws `ApiFailure` 404 when no session of the pathway is active. */
export const readActiveTornado = (pathwayId: string, signal?: AbortSignal): Promise<api.TornadoSession> =>
  ask(demarc.getActiveTornado({ pathway_id: pathwayId }, { signal }));

export const readTornado = (id: string, signal?: AbortSignal): Promise<TornadoProgress> =>
  ask(demarc.getTornadoStatus({ id }, { signal }));

export const cancelTornado = (id: string): Promise<unknown> => ask(demarc.cancelTornado({ id }));

/** Puts the earlier value back into the fork. Throws `ApiFailure` when the place changed since. */
export const undoFix = (id: string, fixId: string): Promise<TornadoProgress> =>
  ask(demarc.undoTornadoFix({ id, fix_id: fixId }));

export const readTornadoSessions = (
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Listed<api.ListedTornadoSession>> =>
  ask(
    demarc
      .listTornadoSessions(pageOf(after), { signal })
      .then(({ data, next }) => ({ data: { rows: data.sessions, next } })),
  );
