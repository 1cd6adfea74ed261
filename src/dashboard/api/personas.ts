import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type Persona = api.Persona;
export type PersonaVersion = api.PersonaVersion;
export type PersonaChange = api.UpdatePersonaBody;
export type KnowledgeBase = api.KnowledgeBase;

const pageSize = 100;
/** One list of an organization holds a thousand personas at most. */
const longestList = 10;

/** All personas, newest first. */
export async function readPersonas(signal?: AbortSignal): Promise<readonly Persona[]> {
  const personas: Persona[] = [];
  let after: string | null = null;
  for (let page = 0; page < longestList; page++) {
    const query: api.ListPersonasQuery = after === null ? {} : { after };
    const answer: api.ListPersonasAnswer = await demarc.listPersonas(
      { limit: pageSize, ...query },
      { signal },
    );
    personas.push(...(await ask(Promise.resolve(answer))).personas);
    after = answer.next;
    if (after === null) break;
  }
  return personas;
}

export const readPersona = (id: string, signal?: AbortSignal): Promise<Persona> =>
  ask(demarc.getPersona({ id }, { signal }));

/** The newest hundred. */
export const readVersions = (id: string, signal?: AbortSignal): Promise<readonly PersonaVersion[]> =>
  ask(demarc.listPersonaVersions({ id }, { limit: pageSize }, { signal })).then(({ versions }) => versions);

export const creationOf =
  (name: string): ApiRequest<Persona> =>
  (client) =>
    client.createPersona({ name });

export const changeOf =
  (id: string, change: PersonaChange): ApiRequest<Persona> =>
  (client) =>
    client.updatePersona({ id }, change);

export const promotePersona = (id: string): Promise<Persona> => ask(demarc.promotePersona({ id }, {}));

export const deletePersona = (id: string): Promise<unknown> => ask(demarc.deletePersona({ id }));

export const attachmentOf =
  (id: string, number: string): ApiRequest<Persona> =>
  (client) =>
    client.attachPersonaNumbers({ id }, { inbound_numbers: [number] });

export const detachNumber = (id: string, number: string): Promise<Persona> =>
  ask(demarc.detachPersonaNumbers({ id }, { inbound_numbers: [number] }));

/** The newest hundred knowledge bases. */
export const readKnowledgeBases = (signal?: AbortSignal): Promise<readonly KnowledgeBase[]> =>
  ask(demarc.listKnowledge({ limit: pageSize }, { signal })).then(({ kbs }) => kbs);
