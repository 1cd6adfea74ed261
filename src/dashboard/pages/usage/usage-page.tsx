import type { JSX } from 'preact';
import { ownUsage } from '../../api/usage.js';
import { Page } from '../../frame/page.js';
import { UsagePanels } from './usage-panel.js';
import '../../style/organization.css';

/** What the organization uses, by day, number and agent. */
export function UsagePage(): JSX.Element {
  return (
    <Page title="Usage">
      <UsagePanels name="own" source={ownUsage} />
    </Page>
  );
}
