import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type {
  Pathway,
  PathwayChange,
  PathwayDocument,
  PathwayEdge,
  PathwayNode,
  PathwayVersion,
  PathwayVersionSummary,
} from '../../../clients/typescript/src/index.js';

const pageSize = 100;
/** Ten pages hold all pathways that an organization may have. */
const longestList = 10;

/** All pathways, newest first. */
export async function readPathways(signal?: AbortSignal): Promise<readonly api.Pathway[]> {
  const pathways: api.Pathway[] = [];
  let after: string | null = null;
  for (let page = 0; page < longestList; page++) {
    const start: api.ListPathwaysQuery = after === null ? {} : { after };
    const answer: api.ListPathwaysAnswer = await demarc.listPathways(
      { limit: pageSize, ...start },
      { signal },
    );
    pathways.push(...(await ask(Promise.resolve(answer))).pathways);
    after = answer.next;
    if (after === null) break;
  }
  return pathways;
}

export const readPathway = (id: string, signal?: AbortSignal): Promise<api.Pathway> =>
  ask(demarc.getPathway({ id }, { signal }));

/** The newest hundred. */
export const readVersions = (
  id: string,
  signal?: AbortSignal,
): Promise<readonly api.PathwayVersionSummary[]> =>
  ask(demarc.listPathwayVersions({ id }, { limit: pageSize }, { signal })).then(({ versions }) => versions);

export const readVersion = (id: string, version: number, signal?: AbortSignal): Promise<api.PathwayVersion> =>
  ask(demarc.getPathwayVersion({ id, version_number: String(version) }, { signal }));

/** The API checks the document, so the text of an editor is sent as it is. */
export const createPathway = (name: string, document: unknown): Promise<api.Pathway> =>
  ask(demarc.createPathway({ name, document: document as api.PathwayDocumentInput }));

/** Makes a draft with this document, or changes it. */
export const saveDraft = (id: string, document: unknown): Promise<api.Pathway> =>
  ask(demarc.updatePathway({ id }, { document: document as api.PathwayDocumentInput }));

/** Null clears the description. */
export const renamePathway = (
  id: string,
  names: Pick<api.UpdatePathwayBody, 'name' | 'description'>,
): Promise<api.Pathway> => ask(demarc.updatePathway({ id }, names));

/** @param revision the revision that the user changed; the API refuses the change if there is a newer one */
export const saveVersion = (
  id: string,
  version: number,
  { document, revision }: { readonly document: unknown; readonly revision: number },
): Promise<api.PathwayVersion> =>
  ask(
    demarc.replacePathwayDocument(
      { id, version_number: String(version) },
      { document: document as api.PathwayDocumentInput, revision },
    ),
  );

export const compareVersions = (
  id: string,
  { from, to }: { readonly from: number; readonly to: number },
  signal?: AbortSignal,
): Promise<readonly api.PathwayChange[]> =>
  ask(demarc.comparePathwayVersions({ id, version_number: String(to) }, { from }, { signal })).then(
    ({ changes }) => changes,
  );

export const forkVersion = (id: string, version: number, note: string): Promise<api.PathwayVersion> =>
  ask(demarc.forkPathwayVersion({ id, version_number: String(version) }, note === '' ? {} : { note }));

export const deleteFork = (id: string, version: number): Promise<unknown> =>
  ask(demarc.deletePathwayFork({ id, version_number: String(version) }));

export const promoteVersion = (id: string, version: number): Promise<api.Pathway> =>
  ask(demarc.promotePathway({ id }, { version_number: version }));

export const deletePathway = (id: string): Promise<unknown> => ask(demarc.deletePathway({ id }));

/** Inbound calls to the number follow the pathway. @param version null: the live one */
export const attachmentOf =
  (id: string, number: string, version: number | null): ApiRequest<api.Pathway> =>
  (client) =>
    client.attachPathwayNumbers(
      { id },
      { inbound_numbers: [number], ...(version === null ? {} : { version_number: version }) },
    );

export const detachmentOf =
  (id: string, number: string): ApiRequest<api.Pathway> =>
  (client) =>
    client.detachPathwayNumbers({ id }, { inbound_numbers: [number] });
