import type { CertificateFailure, TransportFailure } from '../transport/flow.js';

/** RFC 3326 with a protocol of our own: what happened on the network, for the application's eyes only. */
export const transportReason = (failure: TransportFailure | CertificateFailure, text: string): string =>
  `Transport;failure=${failure};text="${text.replace(/[^\x20-\x7e]|["\\]/g, ' ').slice(0, 300)}"`;
