import { readApiDocument } from './api-document.js';

/** Serves the document to those who ask for it at this address; absent: at the address that they asked. */
export interface DocumentRequest {
  readonly publicUrl?: string | undefined;
}

/** The body of `/openapi.json`. To make it takes seconds, in which an event loop serves no other request. */
export default async ({ publicUrl }: DocumentRequest): Promise<string> =>
  JSON.stringify(await readApiDocument({ publicUrl }));
