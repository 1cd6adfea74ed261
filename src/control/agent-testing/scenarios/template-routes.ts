import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers, success } from '../../http/envelope.js';
import { categories, scenarioCreation, scenarioSchema } from '../schemas/scenario.js';
import { templateClone, templateSchema } from '../schemas/template.js';
import { checkTargetExists } from './check-target.js';
import { testTags as tags } from './scenario-routes.js';
import { createScenario } from './scenario-storage.js';
import { scenarioView } from './scenario-view.js';
import { scoresTone, type Template, templates } from './templates.js';

const view = (template: Template): z.output<typeof templateSchema> => ({
  ...template,
  service_tone_enabled: scoresTone(template),
  assertions: template.assertions.map((assertion, order) => ({ ...assertion, order })),
});

/** `/agent-testing/templates`: list, clone. */
export function templateRoutes(server: ApiServer, deps: ControlDeps): void {
  const { database, settings } = deps;
  server.get(
    '/agent-testing/templates',
    {
      schema: {
        operationId: 'listTestTemplates',
        tags,
        summary: 'List scenario templates',
        description:
          'The built-in templates; those of the category RED_TEAM attack the agent. Clone one to get a scenario that you can run.',
        querystring: z.strictObject({
          category: z.enum(categories).optional().meta({ description: 'Only those of this category.' }),
        }),
        response: answers(
          z.object({ templates: z.array(templateSchema).meta({ description: 'The templates.' }) }),
        ),
      },
    },
    async ({ query: { category } }) =>
      success({
        templates: templates
          .filter((template) => category === undefined || template.category === category)
          .map(view),
      }),
  );

  server.post(
    '/agent-testing/templates/:id/clone',
    {
      schema: {
        operationId: 'cloneTestTemplate',
        errors: ['NOT_FOUND', 'SCENARIO_NAME_TAKEN', 'TOO_MANY_SCENARIOS', 'SECRET_KEY_MISSING'],
        tags,
        summary: 'Clone a scenario template',
        description:
          'Creates a scenario from the template, for one pathway, persona or agent. You can change the scenario afterwards.',
        params: z.strictObject({
          id: z.string().min(1).max(64).meta({ description: 'Id of the template.' }),
        }),
        body: templateClone,
        example: { agent: { url: 'https://agent.example.com/v1' }, name: 'Angry caller' },
        response: answers(z.object({ scenario: scenarioSchema.meta({ description: 'The new scenario.' }) })),
      },
    },
    async ({ params, body, caller, operationId }) => {
      const template = templates.find(({ id }) => id === params.id);
      if (template === undefined)
        throw new DemarcError(
          'NOT_FOUND',
          'no template has this id; GET /v1/agent-testing/templates lists them',
        );
      const { organizationId } = caller;
      await checkTargetExists({ database, notices: settings.notices }, organizationId, body);
      const { id: _, ...content } = template;
      const creation = scenarioCreation.parse({
        ...content,
        service_tone_enabled: scoresTone(template),
        ...body,
      });
      const scenario = await createScenario(deps, organizationId, operationId, creation);
      return success({ scenario: scenarioView(scenario) });
    },
  );
}
