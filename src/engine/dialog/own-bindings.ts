import type { SipRequest } from '../../sip/message.js';
import { type Flow, isReliable } from '../transport/flow.js';
import type { Application } from './application.js';

interface OwnBinding {
  readonly application: Application;
  /** The REGISTER that was accepted, as sent. */
  readonly request: SipRequest;
  readonly flow: Flow;
}

/** Twice the registrations of a large installation; above it the oldest is dropped. */
const maximumBindings = 20_000;

/**
 * Connections over which registrars have accepted REGISTERs of applications. A binding is lost with its connection (RFC 5626
 * §4.4.1), because the registrar would send calls there; the application learns of it at once and not at its next refresh.
 */
export class OwnBindings {
  /** By Call-ID, which stays the same for all refreshes of a binding. */
  private readonly bindings = new Map<string, OwnBinding>();
  /** Call-IDs by flow. */
  private readonly byFlow = new Map<string, Set<string>>();

  /** The registrar has answered 2xx over that flow. */
  accepted(application: Application, request: SipRequest, flow: Flow): void {
    const callId = request.headers.get('Call-ID') ?? '';
    // The request removes another binding under the same Call-ID.
    if (request.headers.get('Expires') === '0') return;
    this.forget(callId);
    if (!isReliable(flow.protocol)) return;
    this.bindings.set(callId, { application, request, flow });
    const bound = this.byFlow.get(flow.id);
    if (bound === undefined) this.byFlow.set(flow.id, new Set([callId]));
    else bound.add(callId);
    if (this.bindings.size > maximumBindings) this.forget(this.bindings.keys().next().value!);
  }

  flowClosed(flow: Flow): void {
    for (const callId of this.byFlow.get(flow.id) ?? []) {
      const { application, request } = this.bindings.get(callId)!;
      this.forget(callId);
      if (application.isOpen) application.flowLost(request, flow);
    }
  }

  applicationGone(application: Application): void {
    for (const [callId, binding] of this.bindings)
      if (binding.application === application) this.forget(callId);
  }

  private forget(callId: string): void {
    const binding = this.bindings.get(callId);
    if (binding === undefined) return;
    this.bindings.delete(callId);
    const bound = this.byFlow.get(binding.flow.id);
    if (bound?.delete(callId) && bound.size === 0) this.byFlow.delete(binding.flow.id);
  }
}
