import type { Check } from '../context.js';
import { ok, problem, warning } from '../finding.js';

export const settings: Check = {
  name: 'settings',
  title: 'Settings',
  async run({ edge, control, mediaStream, settingsProblems }) {
    if (settingsProblems.length > 0)
      return settingsProblems.map((line) => problem(line, 'Correct it (docs/settings.md).'));
    const roles = Object.entries({ edge, 'media-stream': mediaStream, control }).flatMap(([name, read]) =>
      read === undefined ? [] : [name],
    );
    const findings = [ok(`The settings of ${roles.join(' and ')} are valid.`)];
    if (edge?.secretKeys.length === 0)
      findings.push(
        warning(
          'DEMARC_SECRET_KEY is not set: passwords of trunks cannot be opened.',
          'Set the key that control uses (docs/production.md).',
        ),
      );
    if (edge?.production === false)
      findings.push(
        warning('NODE_ENV is not production.', 'Set NODE_ENV=production, which requires safe settings.'),
      );
    return findings;
  },
};
