import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type TrustedCertificate = api.TrustedCertificate;
export type ReadCertificates = api.ParseCertificatesAnswer['data'];

export const parseCertificates = (pem: string, signal?: AbortSignal): Promise<ReadCertificates> =>
  ask(demarc.parseCertificates({ pem }, { signal }));
