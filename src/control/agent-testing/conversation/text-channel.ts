import type { Kysely } from 'kysely';
import type { Logger } from '../../../base/log.js';
import type { ControlSettings } from '../../../config/control-settings.js';
import type { ModelPrices } from '../../../config/model-settings.js';
import { type SecretBox, SecretError } from '../../../contract/secret.js';
import { DemarcError } from '../../../errors.js';
import { EgressPolicy } from '../../../naming/egress.js';
import type { Database } from '../../database/tables.js';
import { KnowledgeSearch } from '../../knowledge/index.js';
import { ChatModel } from '../../models/chat-model.js';
import { EndpointClient } from '../../models/endpoint-client.js';
import type { Models } from '../../models/models.js';
import { JsonPoster } from '../../models/post-json.js';
import { pathways } from '../../pathways/index.js';
import { personas } from '../../personas/index.js';
import { AgentConversation } from './agent-conversation.js';
import { agentKeyPlace } from './agent-keys.js';
import { type Channel, type Conversation, RunFailure, type TestSubject } from './channel.js';
import { MeteredModel } from './metered-model.js';
import { PathwayConversation } from './pathway-conversation.js';
import { PersonaConversation } from './persona-conversation.js';

export interface TextChannelDeps {
  readonly database: Kysely<Database>;
  readonly secrets: SecretBox;
  readonly settings: Pick<ControlSettings, 'models' | 'notices' | 'http'>;
  readonly models: Models;
  readonly prices: {
    priceOf(organizationId: string, model: string): Promise<ModelPrices | undefined>;
  };
  readonly log: Logger;
}

/** Passages that a model gets for one turn. */
const passagesPerTurn = 5;
/** Of an agent at its own address. */
const agentTimeoutMilliseconds = 60_000;

/** Conversations by text: with an agent at its own URL, or with a model that speaks as a persona or walks a pathway. */
export class TextChannel implements Channel {
  private readonly poster: JsonPoster;
  private readonly search: KnowledgeSearch;

  constructor(private readonly deps: TextChannelDeps) {
    this.poster = new JsonPoster(new EgressPolicy(deps.settings.notices.webhook));
    this.search = new KnowledgeSearch({ ...deps, embeddings: deps.models.embeddings });
  }

  async open(subject: TestSubject): Promise<Conversation> {
    const { agent, persona_id: personaId, pathway_id: pathwayId } = subject.definition;
    if (agent !== null) return this.openAgent(subject, agent);
    const { chat } = this.deps.models;
    if (chat === undefined)
      throw new RunFailure('No language model is configured to speak for the agent (DEMARC_LLM_URL).');
    const { organizationId, meter, budget } = subject;
    const model = new MeteredModel(chat, organizationId, meter, budget);
    try {
      if (personaId !== null) return await this.openPersona(subject, personaId, model);
      return await this.openPathway(subject, pathwayId!, model);
    } catch (error) {
      if (error instanceof DemarcError && error.code === 'NOT_FOUND')
        throw new RunFailure(error.message, { cause: error });
      throw error;
    }
  }

  private async openAgent(
    subject: TestSubject,
    { url, model }: { readonly url: string | null; readonly model: string },
  ): Promise<Conversation> {
    if (url === null)
      throw new RunFailure('The agent has no URL for a conversation by text; run it by voice.');
    const { settings, prices, log } = this.deps;
    const timeoutMilliseconds = agentTimeoutMilliseconds;
    const endpoint = { url, model, key: await this.agentKey(subject), timeoutMilliseconds };
    const client = new EndpointClient({
      what: 'agent under test',
      setting: 'agent',
      endpoint,
      poster: this.poster,
      log,
      retries: settings.models.retries,
      retryMilliseconds: settings.models.retryMilliseconds,
    });
    const chat = new ChatModel(client, { concurrency: 1, timeoutMilliseconds });
    return new AgentConversation(chat, subject, () => prices.priceOf(subject.organizationId, model));
  }

  /** From the scenario: definitions of runs hold no secrets. */
  private async agentKey({ organizationId, definition }: TestSubject): Promise<string | undefined> {
    const { database, secrets } = this.deps;
    const row = await database
      .selectFrom('agent_test_scenarios')
      .select(['agent', 'agent_key'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', definition.scenario_id)
      .executeTakeFirst();
    // A key of another address stays there.
    if (row === undefined || row.agent_key === null || row.agent?.url !== definition.agent?.url)
      return undefined;
    try {
      return secrets.open(row.agent_key, agentKeyPlace(organizationId, definition.scenario_id));
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      throw new RunFailure('The API key of the agent cannot be decrypted: set it again.', { cause: error });
    }
  }

  private async openPersona(subject: TestSubject, id: string, model: MeteredModel): Promise<Conversation> {
    const { organizationId, versionNumber, requestData } = subject;
    const version = await personas.versionForTest(
      this.deps.database,
      organizationId,
      id,
      versionNumber ?? undefined,
    );
    return new PersonaConversation({
      model,
      prompts: { orchestration: version.orchestration_prompt, personality: version.personality_prompt },
      variables: requestData,
      knowledgeOn: (question) => this.knowledgeOn(organizationId, version.kb_ids, question),
    });
  }

  private async openPathway(subject: TestSubject, id: string, model: MeteredModel): Promise<Conversation> {
    const { organizationId, versionNumber, requestData, definition } = subject;
    const { document } = await pathways.versionForTest(
      this.deps.database,
      organizationId,
      id,
      versionNumber ?? undefined,
    );
    return new PathwayConversation({
      document,
      model,
      poster: this.poster,
      startNodeId: definition.start_node_id,
      mocks: definition.webhook_mocks,
      requestData,
      knowledgeOn: (ids, question) => this.knowledgeOn(organizationId, ids, question),
    });
  }

  private async knowledgeOn(
    organizationId: string,
    ids: readonly string[],
    question: string,
  ): Promise<string> {
    if (ids.length === 0) return '';
    const { passages } = await this.search.search(organizationId, ids, question, passagesPerTurn);
    return passages.map(({ heading, content }) => `${heading}\n${content}`.trim()).join('\n\n');
  }
}
