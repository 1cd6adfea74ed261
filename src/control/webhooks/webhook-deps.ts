import type { ControlDeps } from '../http/api-server.js';

export interface WebhookDeps extends ControlDeps {
  /** Called when there are deliveries to send. */
  readonly wake: () => void;
}
