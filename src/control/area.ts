import type { Redis } from '../base/redis.js';
import type { Senders } from './deliveries/senders.js';
import type { FleetReader } from './fleet/fleet-reader.js';
import type { ControlDeps, RouteGroup } from './http/api-server.js';
import type { Resealed } from './secrets/secret-rotation.js';

/** Background work that runs as long as control does: consumers of streams, schedules, sweepers. */
export interface Service {
  /** As `/readyz` and the NOC list it. */
  readonly name: string;
  start(): Promise<void>;
  /** Resolves when the work in progress has ended. */
  stop(): Promise<void>;
  /** Cheap and synchronous: called for every readiness probe. */
  state(): ServiceState;
}

export interface ServiceState {
  /** False: `/readyz` answers 503. */
  readonly ready: boolean;
  readonly detail: string;
}

/** What an area is created with, beside what every route gets. */
export interface AreaDeps extends ControlDeps {
  /** The connection that all areas share: no blocking commands, no subscriptions. */
  readonly redis: Redis;
  /**
   * Opens a separate connection, which one of the area's services closes in `stop`.
   * @param name shown in CLIENT LIST
   * @param commandTimeout milliseconds, 2,000 by default; longer than a blocking read blocks
   */
  readonly connect: (name: string, commandTimeout?: number) => Redis;
  readonly fleet: FleetReader;
  /** Send one mail, SMS or webhook now; what has to be retried goes through the table of deliveries. */
  readonly senders: Senders;
  /** Call after a transaction that wrote deliveries, so that they are sent at once. */
  readonly wakeDeliveries: () => void;
  /** The states of control's services. */
  readonly serviceStates: () => readonly (ServiceState & { readonly name: string })[];
}

/** What an area adds to control. */
export interface CreatedArea {
  /** Below `/v1`, for organizations with the SIP entitlement. */
  readonly routes?: RouteGroup;
  /** Below `/v1`, for every organization. */
  readonly accountRoutes?: RouteGroup;
  /** With whole paths of their own, for whoever reaches the service: no caller, no rate limit by key. */
  readonly publicRoutes?: RouteGroup;
  /** Started in this order, after those of the areas before it; stopped in reverse order. */
  readonly services?: readonly Service[];
  /**
   * Seals every secret of the area's tables that an earlier key sealed with the current one (`SecretBox.isOutdated`). Called once
   * after the start and again after a failure; several processes may do so at once.
   */
  readonly reseal?: () => Promise<Resealed>;
}

/** One area of the API: a folder of `src/control` that others import through its `index.ts` only. */
export interface Area {
  /** The name of its folder. */
  readonly name: string;
  /** Puts the area together. Nothing runs before its services are started, and nothing is asked of the stores. */
  readonly create: (deps: AreaDeps) => CreatedArea;
}
