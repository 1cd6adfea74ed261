import type { ApiServer, Caller } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { InvalidRequest } from '../http/validation.js';
import { contactOfCall } from './call-contact.js';
import { requireContactNumber } from './contact-input.js';
import { memorySchema } from './contact-view.js';
import type { ContactsDeps } from './contacts-deps.js';
import { type Rememberer, writeMemory } from './memory.js';
import { type MemoryBody, memoryBodySchema } from './memory-input.js';
import { contactPath, contactTags as tags } from './routes.js';

/** `PATCH /contacts/{contact_id}/memory`: agents write it during the call and after it. */
export function memoryRoutes(server: ApiServer, deps: ContactsDeps): void {
  const { database } = deps;

  server.patch(
    '/contacts/:contact_id/memory',
    {
      config: { acceptsCallToken: true },
      schema: {
        operationId: 'updateContactMemory',
        errors: ['NOT_FOUND', 'TOO_MANY_CONTACTS'],
        tags,
        summary: 'Add to the memory of a contact',
        description:
          'What an agent needs to know in the next conversation: summary, facts, messages, open items, entities. Omitted fields keep their value, and lists add to what is there. Give messages a `timestamp`, or send an Idempotency-Key: then a repeated request adds none twice. The agent of a call writes with the call’s token, during the call and shortly after it; then the memory is that of the call’s persona. The last 50 messages are returned; 100 are kept.',
        params: contactPath,
        body: memoryBodySchema,
        example: {
          summary: 'Jane wants to move her delivery to Friday.',
          facts: { preferred_name: 'Jane', language: 'en' },
          messages: [
            { role: 'user', content: 'Can you deliver on Friday instead?' },
            { role: 'assistant', content: 'Yes, Friday morning works.' },
          ],
          open_items: [
            { type: 'follow_up', description: 'Confirm the new delivery date by SMS', priority: 'high' },
          ],
          entities: [{ entity_type: 'order', entity_id: '1042', status: 'rescheduled' }],
        },
        response: answers(memorySchema),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId, call } = caller;
      const rememberer = await remembererOf(deps, caller, body);
      const id = call === undefined ? params.contact_id : await contactOfCall(deps, call, params.contact_id);
      const author = { rememberer, callId: call?.callId ?? null };
      return success(await writeMemory(database, organizationId, id, author, body));
    },
  );
}

/** Throws `InvalidRequest` for a memory that the caller has not. */
async function remembererOf(
  { database }: ContactsDeps,
  { organizationId, call }: Caller,
  { persona_id, agent_number }: MemoryBody,
): Promise<Rememberer> {
  const agentNumber = agent_number === undefined ? null : requireContactNumber(agent_number, 'agent_number');
  if (call === undefined) return { personaId: persona_id ?? '', agentNumber };
  const personaId = call.persona?.id ?? '';
  if (persona_id !== undefined && persona_id !== personaId) {
    throw InvalidRequest.at('persona_id', 'With a call token, the persona is that of the call; omit it.');
  }
  if (agentNumber === null) return { personaId, agentNumber };
  if (personaId !== '') {
    throw InvalidRequest.at(
      'agent_number',
      'The call has a persona, which remembers for all numbers; omit it.',
    );
  }
  const own = await database
    .selectFrom('numbers')
    .select('number')
    .where('number', '=', agentNumber.replace('+', ''))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  if (own === undefined)
    throw InvalidRequest.at('agent_number', `${agentNumber} is none of your numbers; send X-Demarc-Number.`);
  return { personaId, agentNumber };
}
