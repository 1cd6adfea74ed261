import type * as api from '../../../clients/typescript/src/index.js';
import { ApiFailure, ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type Port = api.PortRequest;
export type PortDetail = api.PortRequestDetail;
export type OperatorPort = api.OperatorPort;
export type PortCheck = api.PortCheck;
export type PortOrder = api.InitiatePortBody;
export type Move = api.MovePortBody['move'];

export const readPorts = (signal?: AbortSignal): Promise<readonly Port[]> =>
  ask(demarc.listPorts({ limit: 100 }, { signal })).then(({ port_requests }) => port_requests);

export const readPort = (id: string, signal?: AbortSignal): Promise<PortDetail> =>
  ask(demarc.getPort({ id }, { signal }));

export const checkNumbers = (numbers: string[]): Promise<readonly PortCheck[]> =>
  ask(demarc.checkPortability({ 'phone_numbers[]': numbers })).then(({ results }) => results);

export const initiationOf =
  (order: PortOrder): ApiRequest<{ readonly port_request_id: string }> =>
  (client) =>
    client.initiatePort(order);

export const cancelPort = (id: string): Promise<unknown> => ask(demarc.cancelPort({ id }));

export const resendSignature = (id: string): Promise<unknown> => ask(demarc.resendPortSignature({ id }));

export const readQueue = (signal?: AbortSignal): Promise<api.ListOperatorPortsAnswer['data']> =>
  ask(demarc.listOperatorPorts({ limit: 100 }, { signal }));

export const readQueued = (id: string, signal?: AbortSignal): Promise<OperatorPort> =>
  ask(demarc.getOperatorPort({ id }, { signal }));

export const movePort = (id: string, move: Move, reason: string, numbers?: string[]): Promise<OperatorPort> =>
  ask(
    demarc.movePort({ id }, { move, reason, ...(numbers === undefined ? {} : { phone_numbers: numbers }) }),
  );

/** Download URL of a document, for operators. */
export const documentAddress = (id: string, documentId: string): string =>
  `/v1/operator/ports/${encodeURIComponent(id)}/documents/${encodeURIComponent(documentId)}`;

/**
 * Uploads a document. Uses XMLHttpRequest because `fetch` reports no upload progress.
 * @param onProgress receives 0 to 1
 */
export function uploadDocument(file: File, onProgress: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/v1/sip/port/document');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () =>
      reject(new ApiFailure('The upload was interrupted.', { status: 0, code: 'NO_ANSWER' }));
    request.onload = () => {
      const answer = request.response as api.UploadPortDocumentAnswer | api.Failure | null;
      const [fault] = answer?.errors ?? [];
      if (request.status === 200 && answer?.data) resolve(answer.data.document_sid);
      else
        reject(
          new ApiFailure(fault?.message ?? 'The upload failed.', {
            status: request.status,
            code: fault?.error ?? 'UNREADABLE',
          }),
        );
    };
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}
