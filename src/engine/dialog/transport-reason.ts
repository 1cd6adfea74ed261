import type { CertificateFailure, TransportFailure } from '../transport/flow.js';

/** RFC 3326 with a private protocol: what happened on the network, for the application alone. */
export const transportReason = (failure: TransportFailure | CertificateFailure, text: string): string =>
  `Transport;failure=${failure};text="${text.replace(/[^\x20-\x7e]|["\\]/g, ' ').slice(0, 300)}"`;
