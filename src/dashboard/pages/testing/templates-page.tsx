import type { JSX } from 'preact';
import { useLocation } from 'preact-iso';
import { useResource } from '../../api/resource.js';
import { categories, readTemplates, type Template } from '../../api/testing.js';
import { Loaded } from '../../parts/notice.js';
import { type AssertionType, summaryOf } from './assertion-fields.js';
import { TestingPage } from './testing-page.js';

/** Scenarios to begin with. */
export function TemplatesPage(): JSX.Element {
  const templates = useResource('templates', readTemplates);
  return (
    <TestingPage title="Testing">
      <Loaded what="templates" from={templates}>
        {(list) => (
          <ul class="template-grid">
            {list.map((template) => (
              <TemplateCard template={template} key={template.id} />
            ))}
          </ul>
        )}
      </Loaded>
    </TestingPage>
  );
}

function TemplateCard({ template }: { template: Template }): JSX.Element {
  const { query } = useLocation();
  const target = query.pathway_id === undefined ? '' : `&pathway_id=${encodeURIComponent(query.pathway_id)}`;
  return (
    <li class="panel">
      <header class="panel-head">
        <h2>{template.name}</h2>
        <span class="chip">{categories[template.category]}</span>
      </header>
      <p>{template.description}</p>
      <details>
        <summary>Caller and assertions</summary>
        <p class="prose">{template.tester_persona_prompt}</p>
        <ul class="fault-list">
          {template.assertions.map(({ type, name, config, order }) => (
            <li key={order}>{name ?? summaryOf(type as AssertionType, config)}</li>
          ))}
        </ul>
      </details>
      <div class="buttons">
        <a class="button" href={`/testing/new?template=${encodeURIComponent(template.id)}${target}`}>
          Use<span class="unseen"> {template.name}</span>
        </a>
      </div>
    </li>
  );
}
