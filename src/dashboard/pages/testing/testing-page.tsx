import type { ComponentChildren, JSX } from 'preact';
import '../../style/pathways.css';
import '../../style/testing.css';
import { Page } from '../../frame/page.js';
import { Tabs } from '../../parts/tabs.js';

const places = [
  ['/testing', 'Scenarios'],
  ['/testing/runs', 'Runs'],
  ['/testing/batches', 'Batches'],
  ['/testing/simulations', 'Simulations'],
  ['/testing/load', 'Load'],
  ['/testing/schedules', 'Recurring'],
  ['/testing/monitors', 'Real calls'],
  ['/testing/tornado', 'Tornado'],
  ['/testing/templates', 'Templates'],
] as const;

/** Layout of the lists of agent testing. */
export function TestingPage({
  title,
  beside,
  children,
}: {
  title: string;
  beside?: ComponentChildren;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <Page title={title} beside={beside}>
      <Tabs label="Testing" places={places} />
      {children}
    </Page>
  );
}
