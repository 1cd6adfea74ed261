import type { Redis } from '../base/redis.js';
import type { Senders } from './deliveries/senders.js';
import type { FleetReader } from './fleet/fleet-reader.js';
import type { ControlDeps, RouteGroup } from './http/api-server.js';
import type { Models } from './models/models.js';
import type { PromotionGate } from './promotions/promotion-gate.js';
import type { Resealed } from './secrets/secret-rotation.js';
import type { Telemetry } from './telemetry/telemetry.js';
import type { WorkerPool } from './workers/worker-pool.js';

/** Background work that runs as long as control does: consumers of streams, schedules, sweepers. */
export interface Service {
  /** The name that `/readyz` and the NOC show. */
  readonly name: string;
  start(): Promise<void>;
  /** Resolves when work in progress has finished. */
  stop(): Promise<void>;
  /** Cheap and synchronous: called for every readiness probe. */
  state(): ServiceState;
}

export interface ServiceState {
  /** False: `/readyz` answers 503. */
  readonly ready: boolean;
  readonly detail: string;
}

/** Deletes what an area keeps of calls whose party is deleted. May be called again for the same calls. */
export type CallErasure = (organizationId: string, callIds: readonly string[]) => Promise<void>;

/** What an area is created with, in addition to what every route gets. */
export interface AreaDeps extends ControlDeps {
  /** The connection shared by all areas: no blocking commands, no subscriptions. */
  readonly redis: Redis;
  /**
   * Opens a separate connection; one of the area's services closes it in `stop`.
   * @param name shown in CLIENT LIST
   * @param commandTimeout milliseconds, 2,000 by default; longer than a blocking read blocks
   */
  readonly connect: (name: string, commandTimeout?: number) => Redis;
  readonly fleet: FleetReader;
  /** Senders for one immediate mail, SMS or webhook; deliveries that need retries go through the deliveries table. */
  readonly senders: Senders;
  /** The language model and the embedding model, where they are configured. */
  readonly models: Models;
  /** Threads for work on texts whose time their author chooses. */
  readonly workers: WorkerPool;
  /** Call after committing deliveries, so that they are sent immediately. */
  readonly wakeDeliveries: () => void;
  /** The gates of all areas. */
  readonly promotionGates: () => readonly PromotionGate[];
  /** Of all areas. */
  readonly callErasures: () => readonly CallErasure[];
  /** Shows in the metrics how many clients watch events; absent: metrics are off. */
  readonly countWatchers?: (watching: () => number) => void;
  /** Counts traces of calls by where they were stored; absent: metrics are off. */
  readonly countTraces?: (result: 'moved' | 'kept', traces: number) => void;
  /** Absent: no spans are made. */
  readonly telemetry?: Telemetry | undefined;
  /** The states of control's services. */
  readonly serviceStates: () => readonly (ServiceState & { readonly name: string })[];
}

/** What an area adds to control. */
export interface CreatedArea {
  /** Below `/v1`, for organizations with the SIP entitlement. */
  readonly routes?: RouteGroup;
  /** Below `/v1`, for every organization. */
  readonly accountRoutes?: RouteGroup;
  /** Routes with full paths and without authentication or per-key rate limit. */
  readonly publicRoutes?: RouteGroup;
  /** Routes with full paths for organizations with the SIP entitlement, whose API key comes by Basic authentication. */
  readonly basicRoutes?: RouteGroup;
  /** Asked before a version of a persona or pathway becomes live. */
  readonly promotionGates?: readonly PromotionGate[];
  /** Called when a contact is deleted. */
  readonly callErasures?: readonly CallErasure[];
  /** Started in this order, after the services of earlier areas; stopped in reverse order. */
  readonly services?: readonly Service[];
  /**
   * Re-seals secrets in the area's tables that were sealed with an earlier key (`SecretBox.isOutdated`). Called once
   * after the start and again after a failure; several processes may do so at once.
   */
  readonly reseal?: () => Promise<Resealed>;
}

/** One area of the API: a folder of `src/control` that others import through its `index.ts` only. */
export interface Area {
  /** The name of its folder. */
  readonly name: string;
  /** Creates the area. Nothing runs, and no store is queried, before its services are started. */
  readonly create: (deps: AreaDeps) => CreatedArea;
}
